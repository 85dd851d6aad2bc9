-- Makes the question that Allowance is asked by headers, and of its answer the one that the caller gets. See envoy.yaml.

local MESSAGES = {
  ["401"] = "The API key is not valid.",
  ["403"] = "A limit of the API key does not allow the call.",
}

function envoy_on_request(request)
  local headers = request:headers()
  -- OpenAI's clients send the key in Authorization, Anthropic's in X-Api-Key.
  local key = headers:get("authorization") or headers:get("x-api-key") or ""
  headers:replace(":method", "GET")
  headers:replace(":path", "/v1/authorizations/check")
  headers:replace("allowance-key", key)
  -- Asks whether the key is good and anything is left of each limit. Envoy does not know the length of the prompt or the
  -- model. The gateway behind it knows both and authorizes the real amount.
  headers:replace("allowance-scope", "left")
end

function envoy_on_response(response)
  local headers = response:headers()
  local status, code = headers:get(":status"), headers:get("allowance-code")
  if status == "204" then
    -- ext_authz takes no other status as a yes.
    headers:replace(":status", "200")
    return
  end
  if not (code and MESSAGES[status]) then
    -- Without a code, Allowance did not accept the token of Envoy itself: check the file gateway-token.
    headers:replace(":status", "503")
    return
  end
  local error = '{"error":{"message":"%s","type":"%s","param":null,"code":"%s"}}'
  response:body(true):setBytes(error:format(MESSAGES[status], code, code))
  headers:replace("content-type", "application/json")
end
