-- Looks at the streams in one moment, so that the figures fit together. Writes nothing.
--
-- KEYS: events, results, dead letters
-- ARGV: group
-- Returns: server time in ms, lengths of the three streams, XINFO GROUPS, and of our group XINFO CONSUMERS and the
--          first pending [id, consumer, idle, deliveries]; empty lists where the stream or group is not there yet.
local function list(reply)
  if not reply or reply.err then
    return {}
  end
  return reply
end

local events, group = KEYS[1], ARGV[1]
local now = redis.call('TIME')
return {
  now[1] * 1000 + math.floor(now[2] / 1000),
  redis.call('XLEN', events),
  redis.call('XLEN', KEYS[2]),
  redis.call('XLEN', KEYS[3]),
  list(redis.pcall('XINFO', 'GROUPS', events)),
  list(redis.pcall('XINFO', 'CONSUMERS', events, group)),
  list(redis.pcall('XPENDING', events, group, '-', '+', 1)),
}
