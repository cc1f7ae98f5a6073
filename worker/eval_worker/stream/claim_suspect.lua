-- Takes over one suspect, the one with the fewest deliveries: the innocent that stood beside a poison event go first.
--
-- KEYS: events    ARGV: group, consumer, lease (ms), most to look at, first suspect delivery, max deliveries,
--       name for what is released
-- Returns {id, fields, deliveries}, or nothing when there is no suspect left.
local pending = redis.call('XPENDING', KEYS[1], ARGV[1], 'IDLE', ARGV[3], '-', '+', ARGV[4])
local suspect_from, max_deliveries = tonumber(ARGV[5]), tonumber(ARGV[6])
local best
for _, candidate in ipairs(pending) do
  local delivery = candidate[4] + 1
  local suspect = delivery >= suspect_from and delivery <= max_deliveries and candidate[2] ~= ARGV[7]
  if suspect and (not best or delivery < best.delivery) then
    best = {id = candidate[1], delivery = delivery}
  end
end
if not best then
  return nil
end
local entry = redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, best.id)
if #entry == 0 or not entry[1] then
  redis.call('XACK', KEYS[1], ARGV[1], best.id)
  return {best.id, false, best.delivery}
end
return {best.id, entry[1][2], best.delivery}
