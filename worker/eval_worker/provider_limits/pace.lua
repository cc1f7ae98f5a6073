-- The pace of one model for all workers: pace.py says what it is and where its numbers come from.
-- KEYS[1]  a hash, forgotten some time after the last throttle, or where nobody takes turns
-- ARGV     'take', calls a minute or '', tokens a minute or '', tokens spent beyond those of earlier turns, then the
--          tokens of each call: returns the time, the pace ('' as long as there is none) and the seconds that each
--          has to wait; nothing where calls may go as they like
--          'throttled', the pace that the call was given or '', calls that went well in its worker's last second:
--          returns the time
--          'recovered': the same
local SETTLED_SHARE, FALL, FEWEST_CALLS = 0.015, 1.5, 7.5
local FEWEST_FREE, MOST_FREE, FREE_SECONDS = 20, 150, 3
local DEEPEST_CUT, TAKEN_MARGIN, OLD_NEWS = 0.7, 1.03, 0.93
local SEARCH, RETURN, PEAK_SECONDS = 0.3, 0.15, 120
local FIRST_SHARE, FIRST_RATE, FIRST_PAUSE, SETTLING, JOINING = 0.7, 20, 0.7, 1.5, 1
local LOWEST_RATE, HIGHEST_RATE, CATCH_UP, FORGOTTEN = 2, 100000, 0.1, 900
local BEGUN_ANEW = 10
local MINUTE, BURST_SHARE = 60, 0.05
local BURST_SECONDS = BURST_SHARE * MINUTE / (1 - BURST_SHARE)

local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local FIELDS = {'rate', 'peak', 'free', 'taken', 'began_at', 'throttled_at', 'seen_at', 'paced', 'calls', 'tokens'}
local pace = {}
for i, value in ipairs(redis.call('HMGET', KEYS[1], unpack(FIELDS))) do
  pace[FIELDS[i]] = value and tonumber(value) or 0
end
local searching = pace.peak == 0
local peak = searching and math.huge or pace.peak

if now < pace.seen_at then
  for _, name in ipairs({'paced', 'calls', 'tokens', 'began_at', 'throttled_at'}) do
    pace[name] = pace[name] - (pace.seen_at - now)
  end
  pace.seen_at = now
end
if now - pace.throttled_at > FORGOTTEN then
  pace.rate = 0
end
if pace.rate > 0 then
  local seconds = now - pace.seen_at
  peak = math.max(peak * math.exp(-seconds / PEAK_SECONDS), pace.rate)
  pace.taken = pace.taken * math.exp(-seconds)
end
pace.seen_at = now

local function step()
  return FALL / math.max(pace.rate, FEWEST_CALLS)
end

local function per_second(quota)
  return quota * (1 - BURST_SHARE) / MINUTE
end

local function due(bucket, amount, rate, burst)
  local begins = math.max(pace[bucket], now - math.max(burst - amount / rate, 0))
  pace[bucket] = begins + amount / rate
  return begins
end

local function grow()
  local growth
  if pace.rate * 2 < peak then
    growth = (peak == math.huge and SEARCH or RETURN) / math.max(pace.rate, 1)
  else
    local free = pace.free / math.min(math.max(pace.rate * FREE_SECONDS, FEWEST_FREE), MOST_FREE)
    growth = step() * SETTLED_SHARE / (1 - SETTLED_SHARE) * (1 + free ^ 2)
  end
  pace.free = pace.free + 1
  pace.rate = math.min(pace.rate * (1 + growth), HIGHEST_RATE)
end

local function keep()
  local values = {}
  pace.peak = peak == math.huge and 0 or peak
  for _, name in ipairs(FIELDS) do
    values[#values + 1] = name
    values[#values + 1] = string.format('%.17g', pace[name])
  end
  redis.call('HSET', KEYS[1], unpack(values))
  redis.call('EXPIRE', KEYS[1], FORGOTTEN)
end

local function take(calls_a_minute, tokens_a_minute, spent_beyond, first)
  if pace.rate == 0 and not calls_a_minute and not tokens_a_minute then
    return nil
  end
  if tokens_a_minute then
    pace.tokens = pace.tokens + spent_beyond / per_second(tokens_a_minute)
  end
  local waits = {}
  for i = first, #ARGV do
    local at = now
    if pace.rate > 0 then
      at = math.max(at, due('paced', 1, pace.rate, CATCH_UP))
      pace.taken = pace.taken + 1
      if at > now then
        grow()
      end
    end
    if calls_a_minute then
      at = math.max(at, due('calls', 1, per_second(calls_a_minute), BURST_SECONDS))
    end
    if tokens_a_minute then
      at = math.max(at, due('tokens', tonumber(ARGV[i]), per_second(tokens_a_minute), BURST_SECONDS))
    end
    waits[#waits + 1] = string.format('%.6f', at - now)
  end
  keep()
  return {string.format('%.17g', now), pace.rate > 0 and string.format('%.17g', pace.rate) or '', unpack(waits)}
end

local function throttled(given_rate, taken)
  pace.throttled_at = now
  if pace.rate == 0 then
    pace.rate = math.max(taken * FIRST_SHARE, FIRST_RATE)
    pace.taken, pace.free, pace.began_at, peak = pace.rate, 0, now, math.huge
    pace.paced = now + FIRST_PAUSE
  elseif not given_rate then
    if peak == math.huge and now - pace.began_at < JOINING then
      pace.rate, pace.taken = pace.rate + taken * FIRST_SHARE, pace.taken + taken * FIRST_SHARE
    end
  else
    pace.taken = pace.taken - 1
    if pace.rate >= OLD_NEWS * given_rate then
      if peak == math.huge and now - pace.began_at > SETTLING then
        peak = pace.rate
      end
      local to_what_is_taken = math.max(pace.taken * TAKEN_MARGIN, pace.rate * DEEPEST_CUT)
      pace.rate = math.max(math.min(pace.rate * (1 - step()), to_what_is_taken), LOWEST_RATE)
      pace.free = 0
    end
  end
  keep()
end

local function recovered()
  if pace.rate > 0 and now - pace.began_at > BEGUN_ANEW then
    pace.rate = math.max(pace.rate, FIRST_RATE, peak == math.huge and 0 or peak / 2)
    pace.began_at, peak = now, math.huge
    keep()
  end
end

if ARGV[1] == 'take' then
  return take(tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), 5)
elseif ARGV[1] == 'throttled' then
  throttled(tonumber(ARGV[2]), tonumber(ARGV[3]))
else
  recovered()
end
return {string.format('%.17g', now)}
