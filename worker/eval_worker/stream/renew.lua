-- Renews leases: resets the idle time of each entry that is still ours, without charging a delivery.
--
-- KEYS: events    ARGV: group, consumer, id, id, …
-- Returns the ids that are no longer ours: taken over by another consumer, or settled.
local lost = {}
for at = 3, #ARGV do
  local id = ARGV[at]
  if #redis.call('XPENDING', KEYS[1], ARGV[1], id, id, 1, ARGV[2]) == 0 then
    lost[#lost + 1] = id
  elseif #redis.call('XRANGE', KEYS[1], id, id) > 0 then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, id, 'JUSTID')
  end
  -- An entry deleted under us is left pending: XCLAIM would drop it, and with it the outcome that we still owe.
end
return lost
