-- take(key; algorithm, count, window, n, now, taken): the functions of
-- ratelimit.go, letter by letter. A now of 0 is the server's clock.
local algorithm, count, window = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local n, now, taken = math.min(tonumber(ARGV[4]), count), tonumber(ARGV[5]), tonumber(ARGV[6])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local stored = redis.call('HMGET', KEYS[1], 'a', 'b', 'c')
local a, b, c = tonumber(stored[1]) or 0, tonumber(stored[2]) or 0, tonumber(stored[3]) or 0
local allowed, remaining, reset, wait

if algorithm == 'sliding' then
  local number = math.floor(now / window)
  if number - a == 1 then
    a, b, c = number, 0, b
  elseif number ~= a then
    a, b, c = number, 0, 0
  end
  if n < 0 then
    local earlier = number - math.floor(taken / window)
    if earlier == 0 then
      b = math.max(0, b + n)
    elseif earlier == 1 then
      c = math.max(0, c + n)
    end
    n = 0
  end
  local passed = now - number * window
  local used = b + c * (window - passed) / window
  allowed = used + n <= count
  if allowed then
    b = b + n
    used = used + n
  end
  remaining, reset, wait = count - used, (number + 1) * window, window - passed
  if b > 0 then
    reset = reset + window
  end
  if b + n <= count then
    wait = window * (1 - (count - n - b) / c) - passed
  else
    wait = wait + window * math.max(0, 1 - (count - n) / b)
  end
elseif algorithm == 'bucket' then
  local grain = 0.000001
  local out = math.max(0, a - math.max(0, now - b) * count / window)
  if n < 0 then
    out, n = math.max(0, out + n), 0
  end
  allowed = out + n <= count + grain
  if allowed then
    out = out + n
  end
  a, b = out, now
  remaining, reset, wait = count - out + grain, now + out * window / count, (out + n - count) * window / count
else
  if now >= a + window or a > now then
    a, b = now, 0
  end
  if n < 0 then
    if taken >= a then
      b = math.max(0, b + n)
    end
    n = 0
  end
  allowed = b + n <= count
  if allowed then
    b = b + n
  end
  remaining, reset, wait = count - b, a + window, a + window - now
end

local function text(number) return string.format('%.17g', number) end
redis.call('HSET', KEYS[1], 'a', text(a), 'b', text(b), 'c', text(c))
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 500))
if allowed then
  wait = 0
end
return {allowed and 1 or 0, text(remaining), text(reset), text(wait), text(now)}
