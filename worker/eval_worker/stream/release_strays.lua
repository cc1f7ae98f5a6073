-- Releases, uncharged and at once, what is pending under our name and not held: a read whose reply was lost.
--
-- KEYS: events
-- ARGV: group, consumer, name for what is released, lease (ms), age of this process (ms), then the ids that we hold
-- Returns how many were released.
local group, consumer, lease, age = ARGV[1], ARGV[2], ARGV[4], tonumber(ARGV[5])
local held = {}
for at = 6, #ARGV do
  held[ARGV[at]] = true
end
local released = 0
local start = '-'
while true do
  local page = redis.call('XPENDING', KEYS[1], group, start, '+', 100, consumer)
  for _, pending in ipairs(page) do
    local id, idle, deliveries = pending[1], pending[3], pending[4]
    -- Idle for longer than we live: delivered to one of the same name before us, whose crash is charged.
    if not held[id] and idle <= age then
      redis.call('XCLAIM', KEYS[1], group, ARGV[3], 0, id,
        'JUSTID', 'RETRYCOUNT', math.max(deliveries - 1, 0), 'IDLE', lease)
      released = released + 1
    end
  end
  if #page < 100 then
    return released
  end
  start = '(' .. page[#page][1]
end
