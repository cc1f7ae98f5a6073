-- Settles a batch: for each entry that is still pending, writes its result or dead letter, then acknowledges it, then
-- deletes it where nobody else needs it. The first finisher wins; for an entry no longer pending nothing is written.
--
-- KEYS: events, results, dead letters
-- ARGV: group, keep events (0|1), max length of results (0: unbounded),
--       then for each settlement: id, index of the target key, number of field arguments, name, value, …
-- Returns for each settlement: 'settled', 'gone', or the error that kept its outcome from being written.
local events, group = KEYS[1], ARGV[1]
local may_delete = ARGV[2] == '0' and #redis.call('XINFO', 'GROUPS', events) == 1
local max_length = ARGV[3]
local replies = {}
local at = 4

-- What comes after the outcome must not be refused: Lua does not roll back, and an entry still pending would get another
-- outcome with each repetition. (To try them out first would not do: after any write a script may exceed maxmemory.)
local allowed = redis.acl_check_cmd or function() return true end
if not allowed('XACK', events, group, '0-0') then
  return redis.error_reply('NOPERM this user has no permissions to run the xack command')
end
if may_delete and not allowed('XDEL', events, '0-0') then
  return redis.error_reply('NOPERM this user has no permissions to run the xdel command')
end

while at <= #ARGV do
  local id, target, count = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local first, last = at + 3, at + 2 + count
  at = last + 1
  if #redis.call('XPENDING', events, group, id, id, 1) == 0 then
    replies[#replies + 1] = 'gone'
  else
    -- What can fail (memory, rights, a key of another type) goes first: Lua does not roll back.
    local added
    if target == 2 and max_length ~= '0' then
      added = redis.pcall('XADD', KEYS[2], 'MAXLEN', '~', max_length, '*', unpack(ARGV, first, last))
    else
      added = redis.pcall('XADD', KEYS[target], '*', unpack(ARGV, first, last))
    end
    if type(added) == 'table' and added.err then
      -- About the whole server, not this outcome. What was settled so far reads as gone when the batch is repeated.
      if string.find(added.err, '^-?READONLY') or string.find(added.err, '^-?MISCONF')
        or string.find(added.err, '^-?NOREPLICAS') then
        return added
      end
      replies[#replies + 1] = added.err
    else
      redis.call('XACK', events, group, id)
      if may_delete then
        redis.call('XDEL', events, id)
      end
      replies[#replies + 1] = 'settled'
    end
  end
end
return replies
