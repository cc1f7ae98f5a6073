-- Puts a dead letter's event back on the event stream, then removes the dead letter.
--
-- KEYS: events, dead letters
-- ARGV: id of the dead letter, then the event's original name, value, name, value, …
-- Returns the new entry's id, or nil if the dead letter is gone: someone else replayed or purged it.
if #redis.call('XRANGE', KEYS[2], ARGV[1], ARGV[1]) == 0 then
  return false
end
-- Without the right to delete the letter, each try would make one more event.
if redis.acl_check_cmd and not redis.acl_check_cmd('XDEL', KEYS[2], ARGV[1]) then
  return redis.error_reply('NOPERM this user has no permissions to run the xdel command')
end
-- What can fail (memory, rights, a key of another type) goes first: Lua does not roll back.
local id = redis.call('XADD', KEYS[1], '*', unpack(ARGV, 2))
redis.call('XDEL', KEYS[2], ARGV[1])
return id
