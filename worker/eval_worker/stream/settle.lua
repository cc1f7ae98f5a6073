-- Settles a batch: for each entry that is still pending, writes its result or dead letter; then acknowledges those, then
-- deletes them where nobody else needs them. The first finisher wins; for an entry no longer pending nothing is written.
--
-- KEYS: events, results, dead letters
-- ARGV: group, keep events (0|1), max length of results (0: unbounded), lowest and highest id of the batch,
--       then for each settlement: id, index of the target key, number of field arguments, name, value, …
-- Returns for each settlement: 'settled', 'gone', or the error that kept its outcome from being written.
local events, group = KEYS[1], ARGV[1]
local may_delete = ARGV[2] == '0' and #redis.call('XINFO', 'GROUPS', events) == 1
local max_length = ARGV[3]
local lowest, highest = ARGV[4], ARGV[5]
local replies, settled = {}, {}
local at = 6

-- What comes after the outcomes must not be refused: Lua does not roll back, and an entry still pending would get another
-- outcome with each repetition. (To try them out first would not do: after any write a script may exceed maxmemory.)
local allowed = redis.acl_check_cmd or function() return true end
if not allowed('XACK', events, group, '0-0') then
  return redis.error_reply('NOPERM this user has no permissions to run the xack command')
end
if may_delete and not allowed('XDEL', events, '0-0') then
  return redis.error_reply('NOPERM this user has no permissions to run the xdel command')
end

-- A batch mostly lies together, and one look finds all of it. What a look of a bounded size did not reach is looked up by
-- itself: between its ends there may be any number of entries of others.
local MOST_SEEN = 256
local pending = {}
local seen = redis.call('XPENDING', events, group, lowest, highest, MOST_SEEN)
for _, entry in ipairs(seen) do
  pending[entry[1]] = true
end
local seen_all = #seen < MOST_SEEN
local function is_pending(id)
  if pending[id] ~= nil then
    return pending[id]
  end
  return not seen_all and #redis.call('XPENDING', events, group, id, id, 1) == 1
end

-- What can fail (memory, rights, a key of another type) goes first: Lua does not roll back.
local function write(target, first, last)
  if target == 2 and max_length ~= '0' then
    return redis.pcall('XADD', KEYS[2], 'MAXLEN', '~', max_length, '*', unpack(ARGV, first, last))
  end
  return redis.pcall('XADD', KEYS[target], '*', unpack(ARGV, first, last))
end

local function finish()
  if #settled > 0 then
    redis.call('XACK', events, group, unpack(settled))
    if may_delete then
      redis.call('XDEL', events, unpack(settled))
    end
  end
end

while at <= #ARGV do
  local id, target, count = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local first, last = at + 3, at + 2 + count
  at = last + 1
  if not is_pending(id) then
    replies[#replies + 1] = 'gone'
  else
    local added = write(target, first, last)
    if type(added) == 'table' and added.err then
      -- About the whole server, not this outcome. What was settled so far reads as gone when the batch is repeated.
      if string.find(added.err, '^-?READONLY') or string.find(added.err, '^-?MISCONF')
        or string.find(added.err, '^-?NOREPLICAS') then
        finish()
        return added
      end
      replies[#replies + 1] = added.err
    else
      pending[id] = false -- the batch may name it twice: given up, delivered again, and judged both times
      settled[#settled + 1] = id
      replies[#replies + 1] = 'settled'
    end
  end
end
finish()
return replies
