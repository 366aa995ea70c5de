-- The members of a row: their descriptions, what they say, and until when each is there.
local members, states, seen = KEYS[1], KEYS[2], KEYS[3]
local verb, id, life = ARGV[1], ARGV[2], tonumber(ARGV[3])

local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', seen, '-inf', now)) do
  redis.call('HDEL', members, gone)
  redis.call('HDEL', states, gone)
  redis.call('ZREM', seen, gone)
end

if verb == 'members' then
  return { redis.call('HGETALL', members), redis.call('HGETALL', states) }
end

if verb == 'leave' then
  redis.call('HDEL', members, id)
  redis.call('HDEL', states, id)
  redis.call('ZREM', seen, id)
  return 1
end

if verb == 'say' then
  local said, who = redis.call('HGET', members, id), ARGV[4] .. '\n'
  if not said or string.sub(said, 1, #who) ~= who then return 0 end
  redis.call('HSET', states, id, ARGV[5])
  return 1
end

-- join
if redis.call('HEXISTS', members, id) == 0 then
  if redis.call('HLEN', members) >= tonumber(ARGV[6]) then return 0 end
  redis.call('HSET', members, id, ARGV[4])
  redis.call('HSET', states, id, ARGV[5])
end
redis.call('ZADD', seen, now + life, id)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, life) end
return 1
