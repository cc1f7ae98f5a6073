-- Deletes consumers that are gone: idle for long and with nothing pending. One script, since a consumer that is deleted
-- while something is pending takes it along.
--
-- KEYS: events    ARGV: group, own name, idle time (ms), '1' to delete our own as well, whatever its idle time
-- Returns how many were deleted.
local deleted = 0
for _, flat in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local consumer = {}
  for at = 1, #flat, 2 do
    consumer[flat[at]] = flat[at + 1]
  end
  local own = consumer['name'] == ARGV[2]
  local leaving = own and ARGV[4] == '1'
  if consumer['pending'] == 0 and (leaving or (not own and consumer['idle'] > tonumber(ARGV[3]))) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer['name'])
    deleted = deleted + 1
  end
end
return deleted
