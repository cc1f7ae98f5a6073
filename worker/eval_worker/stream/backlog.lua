-- Looks at the streams in one moment, so that the figures fit together. Writes nothing.
--
-- KEYS: events, results, dead letters
-- ARGV: group
-- Returns: server time in ms, lengths of the three streams, XINFO GROUPS, and of our group XINFO CONSUMERS and the
--          first pending [id, consumer, idle, deliveries]; empty lists where the stream or group is not there yet. Then
--          for each other group [name, ms since anybody read in its name (-1: it has no consumer), first pending id or
--          nil, first id not delivered or nil].
local function list(reply)
  if reply.err and not string.find(reply.err, 'NOGROUP') and not string.find(reply.err, 'no such key') then
    error(reply) -- a refusal is not "nothing there"
  end
  return reply.err and {} or reply
end
local function named(flat)
  local fields = {}
  for at = 1, #flat, 2 do
    fields[flat[at]] = flat[at + 1]
  end
  return fields
end

local events, ours = KEYS[1], ARGV[1]
local function silence_of(group)
  local shortest = -1
  for _, flat in ipairs(redis.call('XINFO', 'CONSUMERS', events, group)) do
    local idle = named(flat)['idle']
    shortest = shortest < 0 and idle or math.min(shortest, idle)
  end
  return shortest
end
local function needs_of(group)
  local pending = redis.call('XPENDING', events, group['name'])
  local unread = redis.call('XRANGE', events, '(' .. group['last-delivered-id'], '+', 'COUNT', 1)[1]
  return pending[1] > 0 and pending[2], unread and unread[1] or false
end

local now = redis.call('TIME')
local groups = list(redis.pcall('XINFO', 'GROUPS', events))
local others = {}
for _, flat in ipairs(groups) do
  local group = named(flat)
  if group['name'] ~= ours then
    others[#others + 1] = {group['name'], silence_of(group['name']), needs_of(group)}
  end
end
return {
  now[1] * 1000 + math.floor(now[2] / 1000),
  redis.call('XLEN', events),
  redis.call('XLEN', KEYS[2]),
  redis.call('XLEN', KEYS[3]),
  groups,
  list(redis.pcall('XINFO', 'CONSUMERS', events, ours)),
  list(redis.pcall('XPENDING', events, ours, '-', '+', 1)),
  others,
}
