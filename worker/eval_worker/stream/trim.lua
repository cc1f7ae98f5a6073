-- Trims the event stream to what some group still needs: everything before the oldest entry that is pending in, or not
-- yet delivered to, any of its groups.
--
-- KEYS: events    ARGV: our group, oldest id to keep in any case ('' where no retention is asked for)
-- Returns how many entries were trimmed.
local function parts(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(seq)
end
-- The first id after this one; the id itself where its sequence is beyond what a Lua number counts exactly.
local function after(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  if tonumber(seq) >= 2 ^ 53 then
    return id
  end
  return ms .. '-' .. string.format('%.0f', tonumber(seq) + 1)
end
local function before(a, b)
  local a_ms, a_seq = parts(a)
  local b_ms, b_seq = parts(b)
  return a_ms < b_ms or (a_ms == b_ms and a_seq < b_seq)
end

if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local groups = redis.call('XINFO', 'GROUPS', KEYS[1])
local oldest
local ours = false
for _, flat in ipairs(groups) do
  local group = {}
  for at = 1, #flat, 2 do
    group[flat[at]] = flat[at + 1]
  end
  ours = ours or group['name'] == ARGV[1]
  local needed = after(group['last-delivered-id'])
  local pending = redis.call('XPENDING', KEYS[1], group['name'])
  if pending[1] > 0 and before(pending[2], needed) then
    needed = pending[2]
  end
  if not oldest or before(needed, oldest) then
    oldest = needed
  end
end
-- Without our group in the count, what we have not read would be trimmed.
if not ours then
  return redis.error_reply('NOGROUP ' .. ARGV[1] .. ' is missing')
end
if ARGV[2] ~= '' and before(ARGV[2], oldest) then
  oldest = ARGV[2]
end
return redis.call('XTRIM', KEYS[1], 'MINID', '=', oldest)
