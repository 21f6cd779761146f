/**
 * The rules of rules.ts in Lua, as Redis runs them: each script is one atomic step, on Redis' own clock. It takes the request as JSON, and
 * answers with JSON.
 *
 * KEYS[1] is a hash: `layout` and `born` of the namespace, and `q`, the largest quarantine that it has seen; each number with its record; `token:` and a token, with the number that it holds;
 * `next:`, mask and bits, with the lowest number that may have no record. KEYS[2] sorts the numbers: free ones before held ones, each by
 * their marks. It says nothing that the hash does not say, so if it is lost alone, the next call makes it anew: all of it, before it adds
 * what it writes.
 */

const COMMON = `
local call, numbers, order, asked = redis.call, KEYS[1], KEYS[2], cjson.decode(ARGV[1])
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function read(number)
  local text = call('HGET', numbers, number)
  return text and cjson.decode(text)
end
local function sort(record)
  call('ZADD', order, record.mark - (record.token == '' and 1e15 or 0), record.number)
end
local function grant(record, info)
  local q = tonumber(call('HGET', numbers, 'q'))
  return cjson.encode({
    number = record.number, from = record.from, ['until'] = record.mark, now = now, quarantineMs = q, info = info
  })
end
local function write(record, token, info)
  call('HDEL', numbers, 'token:' .. record.token)
  record.token = token
  if token ~= '' then call('HSET', numbers, 'token:' .. token, record.number) end
  call('HSET', numbers, record.number, cjson.encode(record))
  sort(record)
  return grant(record, info)
end
local function each(work)
  local all = call('HGETALL', numbers)
  for i = 1, #all, 2 do
    if tonumber(all[i]) then work(cjson.decode(all[i + 1])) end
  end
end
if call('EXISTS', order) == 0 then each(sort) end
`;

export const ACQUIRE = `${COMMON}
local last, mask, bits, durable = asked.last, asked.mask, asked.bits, asked.durable
local layout = call('HGET', numbers, 'layout')
if not layout then
  call('HSET', numbers, 'layout', asked.layout, 'born', now)
elseif layout ~= asked.layout then
  return cjson.encode({ layout = layout })
end
local q = math.max(asked.quarantineMs, call('HGET', numbers, 'q') or 0)
call('HSET', numbers, 'q', q)
local function candidate(record)
  return record and record.number <= last and bit.band(record.number, mask) == bits and record
end
local function first(low, high)
  for offset = 0, call('ZCARD', order), 99 do
    for _, number in ipairs(call('ZRANGEBYSCORE', order, low, high, 'LIMIT', offset, 99)) do
      local record = candidate(read(number))
      if record then return record end
    end
  end
end

local own = candidate(read(call('HGET', numbers, 'token:' .. asked.token) or ''))
if own then return grant(own) end

local free, held = first('-inf', '(0'), first(0, '+inf')
local cursor = 'next:' .. mask .. ':' .. bits
local number = tonumber(call('HGET', numbers, cursor) or bits)
while number <= last and call('HEXISTS', numbers, number) == 1 do
  number = (bit.band(bit.bor(number, mask) + 1, bit.bnot(mask)) + bits) % 2^32
end
if number <= last then
  local born = call('HGET', numbers, 'born') + (durable and q or 0)
  if not free or born < free.mark or born == free.mark and number < free.number then
    free = { number = number, token = '', mark = born }
  end
end

local chosen = free and (durable or free.mark <= now) and free or held and held.mark <= now and held
if not chosen then
  local soonest = math.min((free or held).mark, (held or free).mark)
  return cjson.encode({ retryInMs = math.max(1, soonest - now) })
end
call('HSET', numbers, cursor, number)
chosen.from = durable and chosen.mark or math.max(chosen.mark, now + q)
chosen.mark = durable and math.max(chosen.mark, now + asked.ttlMs) or chosen.from
chosen.label = asked.label
local info = redis.pcall('INFO')
return write(chosen, asked.token, type(info) == 'string' and info or nil)
`;

export const RENEW = `${COMMON}
local record = read(asked.number)
if record and (record.token == asked.token or record.token == asked.nextToken)
  and (asked.durable or now < record.mark) then
  record.mark = math.max(record.mark, now + asked.ttlMs)
  return write(record, asked.nextToken)
end
return 'null'
`;

export const RELEASE = `${COMMON}
local record = read(asked.number)
for _, token in ipairs(asked.tokens) do
  if record and record.token == token then
    record.mark = math.min(record.mark, math.max(record.from, asked.nextFree))
    return write(record, '')
  end
end
return 'null'
`;

export const LIST = `${COMMON}
local found = {}
each(function(record)
  record.now = now
  record.held = record.token ~= ''
  record.token = nil
  table.insert(found, record)
end)
return cjson.encode(found)
`;
