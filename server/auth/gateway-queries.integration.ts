import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { database } from "../testing/database";
import { makeFakeClock } from "../testing/fake-clock";
import { createGateway, listGateways, revokeGateway } from "./gateway-queries";

test("a token is revoked at the time of the database, whatever the clock of the command says", async () => {
  const clock = await makeFakeClock(database);
  await clock.set("2031-05-06T07:08:09.123Z");
  const db = clock.open();
  const name = `eu-${randomUUID().slice(0, 8)}`;
  await createGateway(db, { name, accountIds: undefined, expiresOn: undefined });
  await revokeGateway(db, name);
  const listed = (await listGateways(db)).filter((gateway) => gateway.name === name);
  await db.close();
  expect(listed).toMatchObject([{ state: "revoked", revoked_at: "2031-05-06T07:08:09.123Z" }]);
});
