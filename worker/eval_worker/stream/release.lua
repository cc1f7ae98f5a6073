-- Gives one entry back to the group, if it is still ours: claimable once it has been idle for a lease.
--
-- KEYS: events    ARGV: group, consumer, id, deliveries to leave on it, idle time to start from (ms)
-- Returns 1 if it was released.
if #redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1, ARGV[2]) == 0 then
  return 0
end
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'JUSTID', 'RETRYCOUNT', ARGV[4], 'IDLE', ARGV[5])
return 1
