-- Renews leases: resets the idle time of each entry that is still ours, without charging a delivery.
--
-- KEYS: events    ARGV: group, consumer, id, id, …
-- Returns the ids that are no longer ours: taken over by another consumer, settled, or deleted.
local lost = {}
for at = 3, #ARGV do
  local id = ARGV[at]
  local pending = redis.call('XPENDING', KEYS[1], ARGV[1], id, id, 1, ARGV[2])
  if #pending == 0 or #redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, id, 'JUSTID') == 0 then
    lost[#lost + 1] = id
  end
end
return lost
