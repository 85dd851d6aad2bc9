import fc from "fast-check";
import { expect, test } from "vitest";
import { Coalescer } from "./coalescer";

/** Work that waits until it is told to go on. */
class Gate {
  readonly batches: { target: { name: string }; items: number[] }[] = [];
  readonly #waiting: (() => void)[] = [];

  work = async (target: { name: string }, items: number[]) => {
    this.batches.push({ target, items });
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (items.includes(-1)) throw new Error("refused");
    return items.map((item) => item * 10);
  };

  open(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const coalescer = (work: Gate["work"], mostAtOnce = 64) =>
  new Coalescer({ nameOf: ({ name }: { name: string }) => name, work, mostAtOnce });
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("the first item starts at once; those that come meanwhile are done together, in their order", async () => {
  const gate = new Gate();
  const calls = coalescer(gate.work);
  const results = Promise.all([1, 2, 3].map((item) => calls.run({ name: "a" }, item)));
  expect(gate.batches.map(({ items }) => items)).toEqual([[1]]);
  gate.open();
  await turn();
  gate.open();
  expect(await results).toEqual([10, 20, 30]);
  expect(gate.batches.map(({ items }) => items)).toEqual([[1], [2, 3]]);
});

test("targets of different names do not wait for each other", () => {
  const gate = new Gate();
  const calls = coalescer(gate.work);
  void calls.run({ name: "a" }, 1);
  void calls.run({ name: "b" }, 2);
  expect(gate.batches.map(({ target }) => target.name)).toEqual(["a", "b"]);
});

test("no more items than allowed are done at once", async () => {
  const gate = new Gate();
  const calls = coalescer(gate.work, 2);
  for (const item of [1, 2, 3, 4]) void calls.run({ name: "a" }, item);
  gate.open();
  await turn();
  gate.open();
  await turn();
  expect(gate.batches.map(({ items }) => items)).toEqual([[1], [2, 3], [4]]);
});

test("a failure rejects the items of its batch alone", async () => {
  const gate = new Gate();
  const calls = coalescer(gate.work);
  const first = calls.run({ name: "a" }, -1);
  const second = calls.run({ name: "a" }, 2);
  gate.open();
  await expect(first).rejects.toThrow("refused");
  gate.open();
  expect(await second).toBe(20);
});

test("whenever items come, each gets its own result", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ name: fc.constantFrom("a", "b"), item: fc.nat(99), turns: fc.nat(3) }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      async (calls, mostAtOnce) => {
        const made = coalescer(async (_, items) => {
          await turn();
          return items.map((item) => item * 10);
        }, mostAtOnce);
        const results: Promise<number>[] = [];
        for (const { name, item, turns } of calls) {
          for (let i = 0; i < turns; i++) await turn();
          results.push(made.run({ name }, item));
        }
        expect(await Promise.all(results)).toEqual(calls.map(({ item }) => item * 10));
      },
    ),
  );
});
