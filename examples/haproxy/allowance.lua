-- Asks Allowance by headers whether the caller's key may spend. See haproxy.cfg.

local MESSAGES = {
  [401] = "The API key is not valid.",
  [403] = "A limit of the API key does not allow the call.",
}

-- A file with one of GATEWAY_TOKENS, or a default key, and nothing else.
local file = assert(io.open("gateway-token"))
local token = file:read("l")
file:close()

-- Asks whether the key is good and anything is left of each limit. HAProxy does not know the length of the prompt or the
-- model. The gateway behind it knows both and authorizes the real amount.
local function question(key)
  return {
    ["authorization"] = { "Bearer " .. token },
    ["allowance-key"] = { key },
    ["allowance-scope"] = { "left" },
  }
end

-- The first value of a header, or nil.
local function first(headers, name)
  return headers[name] and headers[name][0]
end

local function refuse(txn, status, code, retry_after)
  local reply = txn:reply({ status = status })
  reply:add_header("content-type", "application/json")
  if retry_after then reply:add_header("retry-after", retry_after) end
  local error = '{"error":{"message":"%s","type":"%s","param":null,"code":"%s"}}'
  reply:set_body(error:format(MESSAGES[status], code, code))
  txn:done(reply)
end

-- Takes the address of Allowance. Sets txn.allowed, or answers the caller, or does nothing where there is no clear answer.
core.register_action("ask_allowance", { "http-req" }, function(txn, address)
  local sent = txn.http:req_get_headers()
  -- OpenAI's clients send the key in Authorization, Anthropic's in X-Api-Key.
  local key = first(sent, "authorization") or first(sent, "x-api-key") or ""
  local url = address .. "/v1/authorizations/check"
  -- Milliseconds. HAProxy asks three times more after one that fails.
  local answer = core.httpclient():get({ url = url, headers = question(key), timeout = 1000 })
  if answer.status == 204 then txn:set_var("txn.allowed", true) end
  local code = first(answer.headers, "allowance-code")
  -- Without a code, Allowance did not accept the token of HAProxy itself.
  if code and MESSAGES[answer.status] then
    refuse(txn, answer.status, code, first(answer.headers, "retry-after"))
  end
end, 1)
