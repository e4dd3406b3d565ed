/**
 * The Lua scripts that Redis runs for the shared rate limit; each runs completely or not at all.
 *
 * `greet` shows that an instance is alive, `enter` records it, `exchange` returns permits and takes others,
 * `block` pauses a key. The store has an epoch, which ends whenever it may have lost something (a restart, an
 * eviction, a fail-over); permits of an ended epoch count for nothing, and every instance enters again
 * (docs/decisions/limits/0008-shared-permits.md).
 */
import { createHash } from 'node:crypto';

/** A script, and the hash by which Redis knows it (EVALSHA). */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

const script = (text: string): Script => ({
  text,
  sha: createHash('sha1').update(text).digest('hex'),
});

/**
 * Shows that an instance is alive and which epoch of the store this is. A new epoch begins if there is none,
 * if the server is another one or was restarted (its contents may be older than its answers), and if an entry
 * is missing. An instance that is whole is heard: the others see by the number of its greeting that it
 * continues.
 *
 * KEYS epoch, members, heard. ARGV me, the epoch I am in ('' for none), highest number acknowledged to me, a
 * fresh epoch, my id, the number of my greeting, how many former names of mine follow, these, then the
 * instances that are gone. Answers the epoch, 1 if it is mine and whole, then id and number of each that is
 * heard.
 */
export const greet = script(`
local told, info = pcall(redis.call, 'INFO', 'server')
local run = told and string.match(info, 'run_id:(%x+)') or 'unknown'
local epoch = redis.call('GET', KEYS[1])
if epoch and string.sub(epoch, 1, #run) ~= run then epoch = false end
if epoch and ARGV[2] == epoch then
  local last = redis.call('HGET', KEYS[2], ARGV[1])
  if not last or tonumber(last) < tonumber(ARGV[3]) then epoch = false end
end
if not epoch then
  epoch = run .. '.' .. ARGV[4]
  redis.call('SET', KEYS[1], epoch)
  redis.call('DEL', KEYS[2], KEYS[3])
end
redis.call('PEXPIRE', KEYS[1], 86400000)
local former = tonumber(ARGV[7])
for i = 8, 7 + former do redis.call('HDEL', KEYS[2], ARGV[i]) end
if #ARGV > 7 + former then
  local gone = {}
  for i = 8 + former, #ARGV do
    gone[ARGV[i]] = true
    redis.call('HDEL', KEYS[3], ARGV[i])
  end
  for _, name in ipairs(redis.call('HKEYS', KEYS[2])) do
    if gone[string.match(name, '^[^.]+')] then redis.call('HDEL', KEYS[2], name) end
  end
end
if ARGV[2] == epoch then redis.call('HSET', KEYS[3], ARGV[5], ARGV[6]) end
redis.call('PEXPIRE', KEYS[2], 86400000)
redis.call('PEXPIRE', KEYS[3], 86400000)
local answer = {epoch, ARGV[2] == epoch and 1 or 0}
for _, word in ipairs(redis.call('HGETALL', KEYS[3])) do answer[#answer + 1] = word end
return answer
`);

/**
 * Enters an instance in the store; its permits follow, each key by an exchange.
 *
 * KEYS epoch, members. ARGV me, epoch, number. Answers 1, or 0 if the epoch has ended.
 */
export const enter = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
return 1
`);

/**
 * Returns permits and grants others, in the order of the queue, whichever instance a request waits in. As many as the burst
 * go at once; then one by one, spread over the rest of the minute: the next turn is calculated as `nextTurn` in pacing.ts
 * does, for all instances together.
 *
 * An instance states all that it holds, never a difference, and numbers its messages: one that was delayed on the way is
 * recognised by its number and changes nothing.
 *
 * The permits of a key are a hash. `c:<instance>` has how many permits it holds, and when those without a request in progress
 * are free; `w:<instance>` has until when its request is valid, and since when each of its requests waits; `b` is the end of a
 * pause that the service asked for; `l` is when the last permit was granted. Times are this server's and decide only order,
 * pace and pauses.
 *
 * While any permit of a key is held, the instances' hash has a field `k:<key>`: so it is noticed if the server evicts the key,
 * whichever instance asks next.
 *
 * While no request waits elsewhere, permits are granted ahead of coming requests, at most half of what is left of the burst,
 * whether or not requests wait here: they count as used until they are returned.
 *
 * One message may be about many keys, so that an instance needs one message for all keys at a time.
 *
 * KEYS epoch, members, then the permits of each key. ARGV me, epoch, number, highest number acknowledged to me,
 * milliseconds a request holds, milliseconds a key lives; then for each key: permits kept, limit, burst, permits wanted
 * ahead, the free times in one text, and in another how long each request has waited, in the order of the queue. Answers
 * 0 and for each key a list: granted, pause, idle, milliseconds to the next turn, milliseconds since the last, free times
 * of others; 1 for a message that came too late; 2 if the store is not what it was.
 */
export const exchange = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[2] then return {2} end
local me, number = ARGV[1], tonumber(ARGV[3])
local last = redis.call('HGET', KEYS[2], me)
local isWhole = last and tonumber(last) >= tonumber(ARGV[4])
for i = 3, isWhole and #KEYS or 2 do
  isWhole = isWhole and (redis.call('HEXISTS', KEYS[2], 'k:' .. KEYS[i]) == 0 or redis.call('EXISTS', KEYS[i]) == 1)
end
if not isWhole then
  redis.call('DEL', KEYS[1])
  return {2}
end
if number <= tonumber(last) then return {1} end
redis.call('HSET', KEYS[2], me, ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function numbersIn(text)
  local numbers = {}
  for number in string.gmatch(text, '%-?%d+') do numbers[#numbers + 1] = tonumber(number) end
  return numbers
end

local function othersOf(key)
  local used, blocked, ago, foreign, ahead = 0, 0, 60000, {}, {}
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    local field, value = all[i], all[i + 1]
    local id = string.sub(field, 3)
    if field == 'b' then
      blocked = math.min(3600000, math.max(0, tonumber(value) - now))
    elseif field == 'l' then
      ago = math.max(0, math.min(60000, now - tonumber(value)))
    elseif redis.call('HEXISTS', KEYS[2], id) == 0 then
      redis.call('HDEL', key, field)
    elseif id ~= me then
      local words = numbersIn(value)
      if string.sub(field, 1, 1) == 'c' then
        used = used + words[1]
        for n = 2, #words do foreign[#foreign + 1] = math.max(0, words[n] - now) end
        for n = #words, words[1] do foreign[#foreign + 1] = 60000 end
      elseif words[1] > now then
        for n = 2, #words do ahead[#ahead + 1] = words[n] end
      end
    end
  end
  return used, blocked, ago, foreign, ahead
end

local function exchange(key, at)
  local held, limit, burst = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local times, waits = numbersIn(ARGV[at + 4]), numbersIn(ARGV[at + 5])
  local used, blocked, ago, foreign, ahead = othersOf(key)
  used = used + held
  local free, granted, releases = limit - used, 0, {}
  for _, millis in ipairs(times) do releases[#releases + 1] = millis end
  for n = #times, held - 1 do releases[#releases + 1] = 60000 end
  for _, millis in ipairs(foreign) do releases[#releases + 1] = millis end
  local function nextTurn()
    if used + granted < burst and free > granted then return 0 end
    table.sort(releases)
    local turn, step = math.max(0, free - granted), 0
    for _, millis in ipairs(releases) do
      if millis > 60000 then break end
      turn = turn + 1
      step = math.max(step, (millis + ago) / turn)
    end
    if turn == 0 then return releases[1] or 60000 end
    local paced = math.ceil(math.max(step, (60000 + ago) / (turn + 1)) - ago)
    return math.max(0, math.min(paced, releases[used + granted - burst + 1] or paced))
  end
  if blocked == 0 then
    for _, wait in ipairs(waits) do
      local since, older = now - wait, 0
      for _, other in ipairs(ahead) do if other < since then older = older + 1 end end
      local going = math.max(burst - used - granted, nextTurn() == 0 and 1 or 0)
      if older + 1 > math.min(going, free - granted) then break end
      granted, ago = granted + 1, 0
      releases[#releases + 1] = 60000
    end
    if granted == #waits and #ahead == 0 then
      local spare = math.floor((burst - used - granted) / 2)
      for _ = 1, math.min(tonumber(ARGV[at + 3]), spare, free - granted) do
        granted, ago = granted + 1, 0
        releases[#releases + 1] = 60000
      end
    end
  end
  if granted > 0 then redis.call('HSET', key, 'l', string.format('%.0f', now)) end

  local mine = { tostring(held + granted) }
  for _, millis in ipairs(times) do mine[#mine + 1] = string.format('%.0f', now + millis) end
  if held + granted > 0 then redis.call('HSET', key, 'c:' .. me, table.concat(mine, ' '))
  else redis.call('HDEL', key, 'c:' .. me) end

  local request = { string.format('%.0f', now + tonumber(ARGV[5])) }
  for i = granted + 1, #waits do request[#request + 1] = string.format('%.0f', now - waits[i]) end
  if #request > 1 then redis.call('HSET', key, 'w:' .. me, table.concat(request, ' '))
  else redis.call('HDEL', key, 'w:' .. me) end
  if redis.call('PTTL', key) < tonumber(ARGV[6]) then redis.call('PEXPIRE', key, ARGV[6]) end
  local mark = 'k:' .. key
  if used + granted > 0 then redis.call('HSET', KEYS[2], mark, 1) else redis.call('HDEL', KEYS[2], mark) end

  local answer = {granted, blocked, math.max(0, free - granted), nextTurn(), ago}
  for _, millis in ipairs(foreign) do answer[#answer + 1] = millis end
  return answer
end

local answers = {0}
for i = 3, #KEYS do answers[i - 1] = exchange(KEYS[i], 7 + 6 * (i - 3)) end
return answers
`);

/** Closes a key for a while, for all. KEYS permits. ARGV milliseconds, milliseconds a key lives. */
export const block = script(`
local time = redis.call('TIME')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
local known = redis.call('HGET', KEYS[1], 'b')
if not known or tonumber(known) < ends then redis.call('HSET', KEYS[1], 'b', string.format('%.0f', ends)) end
local life = tonumber(ARGV[2]) + tonumber(ARGV[1])
if redis.call('PTTL', KEYS[1]) < life then redis.call('PEXPIRE', KEYS[1], string.format('%.0f', life)) end
return 1
`);
