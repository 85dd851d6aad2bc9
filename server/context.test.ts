import { expect, test } from "vitest";
import { keyOfRow } from "./auth/key-owner";
import { KnownSpenders } from "./auth/known-spenders";
import { type ContextSource, createContext, type Recognized } from "./context";
import { hashKeyValue, makeKeyValue } from "./keys/key-value";

function known() {
  const { value, id } = makeKeyValue("sk-");
  const knownSpenders = new KnownSpenders();
  const key = keyOfRow({ account_id: "0123456789abcdef01234567", key_id: id });
  knownSpenders.note({ hash: hashKeyValue(value), spender: key.accountId, key });
  const recognized: Recognized = {};
  const contextOf = ({ isWhole = true, isOnOneServer = true, authorization = `Bearer ${value}` }) => {
    const source = { knownSpenders, db: { distribution: { isOnOneServer } } } as ContextSource;
    return createContext(source, { authorization, sessions: [], address: null, isWhole }, recognized);
  };
  return { key, contextOf, recognized };
}

test("a known sender stands in the line of the log when it is proved", () => {
  const { key, contextOf, recognized } = known();
  const sender = contextOf({}).knownSpender();
  expect([sender?.credential.spender, sender?.isProven, recognized]).toEqual([key.accountId, false, {}]);
  sender?.prove();
  expect([sender?.isProven, recognized]).toEqual([true, { account: key.accountId, key: key.keyId }]);
});

test("one that is refused is not known any more, and is not named", () => {
  const { contextOf, recognized } = known();
  contextOf({}).knownSpender()?.refuse();
  expect([contextOf({}).knownSpender(), recognized]).toEqual([undefined, {}]);
});

test.each([
  ["whose body may still arrive", { isWhole: false }],
  ["to a distributed database", { isOnOneServer: false }],
  ["with another key", { authorization: `Bearer ${makeKeyValue("sk-").value}` }],
  ["with another form of the header", { authorization: "Basic eA==" }],
])("the sender of a request %s is not known", (_, request) => {
  expect(known().contextOf(request).knownSpender()).toBeUndefined();
});
