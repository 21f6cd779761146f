/**
 * The rules of store-rules.ts in Lua. Each script is one atomic step on Redis' own clock. It takes
 * the request as JSON and answers with JSON.
 *
 * KEYS[1] is a hash: `layout` and `born` of the namespace; `q`, its largest quarantine so far; and
 * each number with its record.
 */

const COMMON = `
local call, key, asked = redis.call, KEYS[1], cjson.decode(ARGV[1])
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local q = math.max(asked.quarantineMs or 0, call('HGET', key, 'q') or 0)
local function told(record)
  record.held, record['until'], record.now, record.quarantineMs = record.token ~= '', record.mark, now, q
  record.token = nil
  return record
end
local function write(record, token, info)
  record.token = token
  call('HSET', key, record.number, cjson.encode(record))
  record.info = info
  return cjson.encode(told(record))
end
local function each(work)
  local all = call('HGETALL', key)
  for i = 1, #all, 2 do
    if tonumber(all[i]) then work(cjson.decode(all[i + 1])) end
  end
end
`;

/**
 * Takes the candidate with the lowest rank: the caller's own number, free numbers, expired numbers,
 * and the others, each group by mark.
 */
export const ACQUIRE = `${COMMON}
local mask, bits, durable = asked.mask, asked.bits, asked.durable
local layout = call('HGET', key, 'layout')
if not layout then
  call('HSET', key, 'layout', asked.layout, 'born', now)
elseif layout ~= asked.layout then
  return cjson.encode({ layout = layout })
end
call('HSET', key, 'q', q)
local best, least, seen = nil, math.huge, {}
local function offer(record)
  local number, mark, free = record.number, record.mark, record.token == ''
  seen[number] = true
  local rank = record.token == asked.token and 0
    or mark > now and not (durable and free) and 2e15 + mark or free and mark or 1e15 + mark
  if number <= asked.last and bit.band(number, mask) == bits and rank < least then best, least = record, rank end
end
each(offer)
local number = bits
while seen[number] do
  number = (bit.band(bit.bor(number, mask) + 1, bit.bnot(mask)) + bits) % 2^32
end
offer({ number = number, token = '', mark = call('HGET', key, 'born') + (durable and q or 0) })
if least == 0 then return cjson.encode(told(best)) end
if least > 2e15 then return cjson.encode({ retryInMs = best.mark - now }) end
best.from = durable and best.mark or math.max(best.mark, now + q)
best.mark = durable and math.max(best.mark, now + asked.ttlMs) or best.from
best.label = asked.label
return write(best, asked.token, redis.pcall('INFO'))
`;

/** Renews; or releases, if the request has several tokens and no next one. */
export const CHANGE = `${COMMON}
local text = call('HGET', key, asked.number)
local record = text and cjson.decode(text)
for _, token in ipairs(asked.tokens or { asked.token, asked.nextToken }) do
  if record and record.token == token and (asked.tokens or asked.durable or now < record.mark) then
    record.mark = asked.tokens and math.min(record.mark, math.max(record.from, asked.nextFree))
      or math.max(record.mark, now + asked.ttlMs)
    return write(record, asked.nextToken or '')
  end
end
return 'null'
`;

export const LIST = `${COMMON}
local found = {}
each(function(record) table.insert(found, told(record)) end)
return cjson.encode(found)
`;
