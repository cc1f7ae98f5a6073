-- Gives entries back to the group, those that are still ours: each claimable once it has been idle for a lease.
--
-- They go to a consumer name of their own, so that whatever is pending under our name is either held or a stray.
--
-- KEYS: events
-- ARGV: group, consumer, name for what is released, then for each: id, deliveries to leave on it, idle time (ms)
-- Returns the ids of those that no longer exist on the stream: their data is lost.
local missing = {}
for at = 4, #ARGV, 3 do
  local id = ARGV[at]
  if #redis.call('XPENDING', KEYS[1], ARGV[1], id, id, 1, ARGV[2]) > 0 then
    local claimed = redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[3], 0, id,
      'JUSTID', 'RETRYCOUNT', ARGV[at + 1], 'IDLE', ARGV[at + 2])
    if #claimed == 0 then
      redis.call('XACK', KEYS[1], ARGV[1], id)
      missing[#missing + 1] = id
    end
  end
end
return missing
