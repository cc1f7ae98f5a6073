-- Takes over entries whose lease has run out, and counts a delivery for each.
--
-- An entry on its third delivery or later is a suspect: it may have killed two processes. What a living worker gave
-- back is none. Suspects are only counted here, since they must run alone; those past the limit are claimed at once, as
-- they will not run at all.
--
-- KEYS: events
-- ARGV: group, consumer, lease (ms), cursor, page size, most to claim, first suspect delivery, max deliveries,
--       name for what is released, then the ids that we hold
-- Returns the next cursor, the number of suspects seen, the claimed {id, fields, deliveries} and the ids of pending
-- entries that no longer exist (acknowledged here: their data is lost).
local events, group, consumer, lease = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local page_size, limit, suspect_from, max_deliveries =
  tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local held = {}
for at = 10, #ARGV do
  held[ARGV[at]] = true
end

local claimed, missing, suspects = {}, {}, 0
local page = redis.call('XPENDING', events, group, 'IDLE', lease, ARGV[4], '+', page_size)
for _, pending in ipairs(page) do
  local id, delivery = pending[1], pending[4] + 1
  if not held[id] then
    if delivery >= suspect_from and delivery <= max_deliveries and pending[2] ~= ARGV[9] then
      suspects = suspects + 1
    elseif #claimed >= limit then
      return {id, suspects, claimed, missing}
    else
      local entry = redis.call('XCLAIM', events, group, consumer, 0, id)
      if #entry == 0 or not entry[1] then
        redis.call('XACK', events, group, id)
        missing[#missing + 1] = id
      else
        claimed[#claimed + 1] = {id, entry[1][2], delivery}
      end
    end
  end
end
local cursor = #page < page_size and '-' or '(' .. page[#page][1]
return {cursor, suspects, claimed, missing}
