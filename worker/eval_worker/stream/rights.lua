-- Looks which of the commands that a worker needs this user may not run. Runs none of them.
--
-- KEYS: none, so that it can be asked about keys that this user may not touch
-- ARGV: events, results, dead letters
-- Returns for each command {the right to it, its key or '', 1 if it is allowed}; nothing where the server can't tell.
local events, results, dead_letters = ARGV[1], ARGV[2], ARGV[3]
local needed = {
  {'+ping', '', 'PING'},
  {'+time', '', 'TIME'},
  {'+eval', '', 'EVAL', 'return 1', '0'},
  {'+eval_ro', '', 'EVAL_RO', 'return 1', '0'},
  {'+evalsha_ro', '', 'EVALSHA_RO', 'sha', '0'},
  {'+xgroup|create', events, 'XGROUP', 'CREATE', events, 'group', '0'},
  {'+xgroup|delconsumer', events, 'XGROUP', 'DELCONSUMER', events, 'group', 'consumer'},
  {'+xreadgroup', events, 'XREADGROUP', 'GROUP', 'group', 'consumer', 'STREAMS', events, '>'},
  {'+xinfo|groups', events, 'XINFO', 'GROUPS', events},
  {'+xinfo|consumers', events, 'XINFO', 'CONSUMERS', events, 'group'},
  {'+xpending', events, 'XPENDING', events, 'group'},
  {'+xclaim', events, 'XCLAIM', events, 'group', 'consumer', '0', '0-1'},
  {'+xack', events, 'XACK', events, 'group', '0-1'},
  {'+xdel', events, 'XDEL', events, '0-1'},
  {'+xtrim', events, 'XTRIM', events, 'MINID', '0'},
  {'+xrange', events, 'XRANGE', events, '-', '+'},
  {'+exists', events, 'EXISTS', events},
}
for _, key in ipairs({results, dead_letters}) do
  needed[#needed + 1] = {'+xadd', key, 'XADD', key, '*', 'name', 'value'}
end
for _, key in ipairs({events, results, dead_letters}) do
  needed[#needed + 1] = {'+xlen', key, 'XLEN', key}
  -- A script may read and write its keys, whatever it does, and so needs both rights.
  needed[#needed + 1] = {'+evalsha', key, 'EVALSHA', 'sha', '1', key}
end

local replies = {}
for at, each in ipairs(redis.acl_check_cmd and needed or {}) do
  replies[at] = {each[1], each[2], redis.acl_check_cmd(unpack(each, 3)) and 1 or 0}
end
return replies
