import { expect, test } from "vitest";
import { turns } from "./turns";

test("parts that wait for their turns run in order, and other work comes between them", async () => {
  const done: string[] = [];
  const other = () => {
    done.push("other");
    if (done.length < 20) setImmediate(other);
  };
  setImmediate(other);
  const nextTurn = turns();
  await Promise.all(
    ["first", "second", "third"].map(async (part) => {
      await nextTurn();
      done.push(part);
    }),
  );
  expect(done.filter((what) => what !== "other")).toEqual(["first", "second", "third"]);
  expect(done.join(" ")).toMatch(/first( other)+ second( other)+ third/);
});
