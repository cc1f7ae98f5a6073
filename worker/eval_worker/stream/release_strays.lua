-- Releases, uncharged and at once, what is pending under our name without our knowledge: a read whose reply was lost.
--
-- KEYS: events    ARGV: group, consumer, lease (ms), then the ids that we do hold
-- Returns how many were released.
local held = {}
for at = 4, #ARGV do
  held[ARGV[at]] = true
end
local released = 0
local start = '-'
while true do
  local page = redis.call('XPENDING', KEYS[1], ARGV[1], start, '+', 100, ARGV[2])
  for _, pending in ipairs(page) do
    local id, deliveries = pending[1], pending[4]
    -- Idle for a lease already: released before, or on its way to another worker.
    if not held[id] and pending[3] < tonumber(ARGV[3]) then
      redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, id,
        'JUSTID', 'RETRYCOUNT', math.max(deliveries - 1, 0), 'IDLE', ARGV[3])
      released = released + 1
    end
  end
  if #page < 100 then
    return released
  end
  start = '(' .. page[#page][1]
end
