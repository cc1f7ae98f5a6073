-- Trims the event stream to what some group still needs: everything before the oldest entry that is pending in, or not
-- yet delivered to, any of its groups. A call trims one step at most, so that the server is never held up for long.
--
-- A group other than ours is idle when something waits for it and nobody has read in its name for longer than a limit.
-- It holds an entry only until the entry itself is older than that limit: a group that comes back finds the last hours,
-- one that never does is not obeyed for ever. (Redis 7.0 takes no note of reads that found nothing.)
--
-- KEYS: events    ARGV: our group, time to keep entries in any case (ms, '' for none), idle limit (ms), step
-- Returns how many entries were trimmed, 1 if there are more to trim, and the idle groups as {name, state}:
--         'holds' (so far its entries are kept), 'overruled' (entries that it needs are trimmed) or 'ageless' (its
--         entries' ids are no times, which makes it obeyed for good).
local events = KEYS[1]
local EARLIEST_CLOCK_MS = 10 ^ 12 -- ids below are no times: a producer numbers its entries itself

-- By their digits, since a Lua number does not count that far exactly.
local function less(a, b)
  if #a ~= #b then
    return #a < #b
  end
  return a < b
end
local function before(a, b)
  local a_ms, a_seq = string.match(a, '^(%d+)-(%d+)$')
  local b_ms, b_seq = string.match(b, '^(%d+)-(%d+)$')
  return less(a_ms, b_ms) or (a_ms == b_ms and less(a_seq, b_seq))
end
-- The first id after this one; the id itself where its sequence is beyond what a Lua number counts exactly.
local function after(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  if tonumber(seq) >= 2 ^ 53 then
    return id
  end
  return ms .. '-' .. string.format('%.0f', tonumber(seq) + 1)
end
local function is_time(id)
  return tonumber(string.match(id, '^%d+')) >= EARLIEST_CLOCK_MS
end
local function ago(ms)
  local time = redis.call('TIME')
  return string.format('%.0f-0', math.max(time[1] * 1000 + math.floor(time[2] / 1000) - ms, 0))
end
local function first_from(id)
  local found = redis.call('XRANGE', events, id, '+', 'COUNT', 1)[1]
  return found and found[1]
end
local function named(flat)
  local fields = {}
  for at = 1, #flat, 2 do
    fields[flat[at]] = flat[at + 1]
  end
  return fields
end

local function needed_by(group)
  local unread = after(group['last-delivered-id'])
  local pending = redis.call('XPENDING', events, group['name'])
  if pending[1] > 0 and before(pending[2], unread) then
    return pending[2]
  end
  return unread
end
local function is_silent(group, limit)
  for _, flat in ipairs(redis.call('XINFO', 'CONSUMERS', events, group['name'])) do
    if named(flat)['idle'] <= limit then
      return false
    end
  end
  return true
end

if redis.call('EXISTS', events) == 0 then
  return {0, 0, {}}
end
local idle_limit, step = tonumber(ARGV[3]), tonumber(ARGV[4])
local ours, oldest, idle = false, nil, {}
for _, flat in ipairs(redis.call('XINFO', 'GROUPS', events)) do
  local group = named(flat)
  local needed = needed_by(group)
  if group['name'] == ARGV[1] then
    ours = true
  elseif is_silent(group, idle_limit) then
    local waits = first_from(needed)
    if waits then
      idle[#idle + 1] = {name = group['name'], waits = waits}
      if is_time(waits) and before(needed, ago(idle_limit)) then
        needed = ago(idle_limit)
      end
    end
  end
  if not oldest or before(needed, oldest) then
    oldest = needed
  end
end
-- Without our group in the count, what we have not read would be trimmed.
if not ours then
  return redis.error_reply('NOGROUP ' .. ARGV[1] .. ' is missing')
end
if ARGV[2] ~= '' then
  local first = first_from('-')
  local kept = first and not is_time(first) and first or ago(tonumber(ARGV[2]))
  if before(kept, oldest) then
    oldest = kept
  end
end

local states = {}
for at, group in ipairs(idle) do
  local state = before(group.waits, oldest) and 'overruled' or is_time(group.waits) and 'holds' or 'ageless'
  states[at] = {group.name, state}
end
-- By whole nodes of the stream, which hold far fewer entries than half a step; then what is left in the last of them.
local trimmed = redis.call('XTRIM', events, 'MINID', '~', oldest, 'LIMIT', step)
if trimmed * 2 >= step then
  return {trimmed, 1, states}
end
return {trimmed + redis.call('XTRIM', events, 'MINID', '=', oldest), 0, states}
