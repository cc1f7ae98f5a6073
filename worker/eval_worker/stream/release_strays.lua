-- Releases, uncharged and at once, what is pending under our name and not held: a read whose reply was lost. A call
-- looks at one page of what is pending.
--
-- KEYS: events
-- ARGV: group, consumer, name for what is released, lease (ms), age of this process (ms), where the page starts, its
--       size, then the ids that we hold
-- Returns how many were released, the ids of those that no longer exist on the stream (their data is lost), and where
--         the next page starts: '' after the last.
local group, consumer, lease, age, page_size = ARGV[1], ARGV[2], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[7])
local held = {}
for at = 8, #ARGV do
  held[ARGV[at]] = true
end
local released, missing = 0, {}
local page = redis.call('XPENDING', KEYS[1], group, ARGV[6], '+', page_size, consumer)
for _, pending in ipairs(page) do
  local id, idle, deliveries = pending[1], pending[3], pending[4]
  -- Idle for longer than we live: delivered to one of the same name before us, whose crash is charged.
  if not held[id] and idle <= age then
    local claimed = redis.call('XCLAIM', KEYS[1], group, ARGV[3], 0, id,
      'JUSTID', 'RETRYCOUNT', math.max(deliveries - 1, 0), 'IDLE', lease)
    if #claimed > 0 then
      released = released + 1
    else
      redis.call('XACK', KEYS[1], group, id)
      missing[#missing + 1] = id
    end
  end
end
return {released, missing, #page < page_size and '' or '(' .. page[#page][1]}
