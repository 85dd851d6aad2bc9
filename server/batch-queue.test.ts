import { setImmediate as nextLoop } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { type Batching, BatchQueue } from "./batch-queue";

interface Item {
  name: string;
  place: number;
}

function queueOf(options: Partial<Batching<Item, string>> = {}) {
  const batches: Item[][] = [];
  const open: (() => void)[] = [];
  const queue = new BatchQueue<Item, string>({
    queue: "test",
    nameOf: ({ name }) => name,
    shardOf: () => "",
    mayTryAgain: () => true,
    mostAtOnce: 64,
    lanes: 1,
    ...options,
    work: async (items) => {
      batches.push(items);
      await new Promise<void>((resolve) => open.push(resolve));
      return options.work ? options.work(items) : items.map(({ name, place }) => `${name}${place}`);
    },
  });
  const begun = (count: number) => expect.poll(() => batches.length).toBe(count);
  /** Lets the oldest batch that is worked on end. */
  const end = () => open.shift()?.();
  return { queue, batches, begun, end };
}

const items = (...names: string[]): Item[] => names.map((name, place) => ({ name, place }));

test("items that come at once are one batch, and each gets its own result", async () => {
  const { queue, batches, begun, end } = queueOf();
  const results = items("a", "b", "a").map((item) => queue.run(item));
  await begun(1);
  end();
  expect(await Promise.all(results)).toEqual(["a0", "b1", "a2"]);
  expect(batches).toHaveLength(1);
});

test("what comes while a batch is worked on is the next batch", async () => {
  const { queue, batches, begun, end } = queueOf();
  const [a, b, c] = items("a", "b", "c") as [Item, Item, Item];
  const first = queue.run(a);
  await begun(1);
  const later = [queue.run(b), queue.run(c)];
  end();
  await begun(2);
  end();
  await Promise.all([first, ...later]);
  expect(batches).toEqual([[a], [b, c]]);
});

test("a name that a batch works on waits, others start in a free lane", async () => {
  const { queue, batches, begun, end } = queueOf({ lanes: 2 });
  const [a, again, b] = items("a", "a", "b") as [Item, Item, Item];
  const results = [queue.run(a)];
  await begun(1);
  results.push(queue.run(again), queue.run(b));
  await begun(2);
  expect(batches).toEqual([[a], [b]]);
  end();
  await begun(3);
  expect(batches[2]).toEqual([again]);
  end();
  end();
  await Promise.all(results);
});

test.each([
  [80, [40, 40]],
  [32, [16, 16]],
  [16, [16]],
])("of %i names, the two lanes take %j, with all items of a name", async (count, taken) => {
  const { queue, batches, begun, end } = queueOf({ lanes: 2, mostAtOnce: 256 });
  const names = Array.from({ length: count }, (_, i) => `n${i}`);
  const results = Promise.all(items(...names, ...names).map((item) => queue.run(item)));
  await begun(taken.length);
  for (const _ of taken) end();
  await results;
  expect(batches.map((batch) => new Set(batch.map(({ name }) => name)).size)).toEqual(taken);
  expect(batches.map((batch) => batch.length)).toEqual(taken.map((number) => 2 * number));
});

/** The queue looks at what has come in the next loop. */
async function lookedAt(): Promise<void> {
  await nextLoop();
  await nextLoop();
}

/** A batch of four names is under way, and another name has come. */
async function beginFewBesideMany() {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  const { queue, batches, begun, end } = queueOf({ lanes: 2 });
  const many = items("a", "b", "c", "d");
  const results = many.map((item) => queue.run(item));
  await begun(1);
  const come = (...names: string[]) => results.push(...items(...names).map((item) => queue.run(item)));
  come("e");
  await lookedAt();
  expect(batches).toEqual([many]);
  return { come, begun, end, results, later: () => batches.slice(1).map((batch) => batch.map(({ name }) => name)) };
}

afterEach(() => void vi.useRealTimers());

test("few names beside a larger batch start when it ends", async () => {
  const { begun, end, results, later } = await beginFewBesideMany();
  end();
  await begun(2);
  expect(later()).toEqual([["e"]]);
  end();
  await Promise.all(results);
});

test("few names beside a larger batch start when they are as many", async () => {
  const { come, end, results, later } = await beginFewBesideMany();
  come("f", "g", "h");
  await lookedAt();
  expect(later()).toEqual([["e", "f", "g", "h"]]);
  end();
  end();
  await Promise.all(results);
});

test("names that a batch works on do not count", async () => {
  const { come, end, results, later } = await beginFewBesideMany();
  come("a", "b", "c", "d");
  await lookedAt();
  expect(later()).toEqual([]);
  end();
  await lookedAt();
  expect(later()).toEqual([["e", "a", "b", "c", "d"]]);
  end();
  await Promise.all(results);
});

test("a name of another shard waits for no batch", async () => {
  const { queue, batches, begun, end } = queueOf({ lanes: 2, shardOf: ({ name }) => name.slice(0, 1) });
  const results = items("x1", "x2", "x3", "x4").map((item) => queue.run(item));
  await begun(1);
  results.push(...items("y1").map((item) => queue.run(item)));
  await lookedAt();
  expect(batches.slice(1)).toEqual([items("y1")]);
  end();
  end();
  await Promise.all(results);
});

test("few names beside a larger batch start after a moment when it takes long", async () => {
  const { end, results, later } = await beginFewBesideMany();
  vi.advanceTimersByTime(5);
  await lookedAt();
  expect(later()).toEqual([["e"]]);
  end();
  end();
  await Promise.all(results);
});

test("the next batch has a connection before the answers of the one before are written", async () => {
  const order: string[] = [];
  const queue = new BatchQueue<Item, string>({
    queue: "test",
    nameOf: ({ name }) => name,
    shardOf: () => "",
    mayTryAgain: () => false,
    mostAtOnce: 1,
    lanes: 1,
    work: async ([item]) => {
      // As a pool of connections does it.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      order.push(`${item?.name} is sent`);
      return ["done"];
    },
  });
  const answered = async (item: Item) => {
    await queue.run(item);
    order.push(`${item.name} is answered`);
  };
  await Promise.all(items("a", "b").map(answered));
  expect(order).toEqual(["a is sent", "b is sent", "a is answered", "b is answered"]);
});

test.each([1, 2, 7])("a batch has at most %i items, and the items of a name keep their order", async (mostAtOnce) => {
  const { queue, batches, begun, end } = queueOf({ mostAtOnce });
  const all = items("a", "b", "a", "a", "c", "b", "a", "d", "a");
  const results = Promise.all(all.map((item) => queue.run(item)));
  for (let done = 0, batch = 1; done < all.length; batch++) {
    await begun(batch);
    done += batches[batch - 1]?.length ?? 0;
    end();
  }
  await results;
  expect(Math.max(...batches.map((batch) => batch.length))).toBe(mostAtOnce);
  const places = batches.flat().filter(({ name }) => name === "a");
  expect(places.map(({ place }) => place)).toEqual([0, 2, 3, 6, 8]);
});

test("only one shard stands in a batch", async () => {
  const { queue, batches, begun, end } = queueOf({ shardOf: ({ name }) => name.slice(0, 1) });
  const results = items("x1", "y1", "x2").map((item) => queue.run(item));
  await begun(1);
  end();
  await begun(2);
  end();
  await Promise.all(results);
  expect(batches.map((batch) => batch.map(({ name }) => name))).toEqual([["x1", "x2"], ["y1"]]);
});

test("the items of a batch that failed are tried one by one, so that a bad one fails alone", async () => {
  const work = async (batch: Item[]) => {
    if (batch.some(({ name }) => name === "bad")) throw new Error("bad");
    return batch.map(({ name }) => name);
  };
  const { queue, begun, end } = queueOf({ work });
  const results = Promise.allSettled(items("a", "bad", "b").map((item) => queue.run(item)));
  for (let batch = 1; batch <= 4; batch++) {
    await begun(batch);
    end();
  }
  expect((await results).map((result) => ("value" in result ? result.value : `${result.reason}`))).toEqual([
    "a",
    "Error: bad",
    "b",
  ]);
});

test("a batch that may have taken effect is not tried again", async () => {
  const { queue, batches, begun, end } = queueOf({
    mayTryAgain: () => false,
    work: () => Promise.reject(new Error("the connection broke")),
  });
  const results = Promise.allSettled(items("a", "b").map((item) => queue.run(item)));
  await begun(1);
  end();
  expect((await results).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(batches).toHaveLength(1);
});

test("a single item that failed is tried once more where that may help, and no more", async () => {
  const counts: number[] = [];
  const { queue, batches, begun, end } = queueOf({
    mayTryAgain: (_, count) => counts.push(count) > 0,
    work: async () => {
      if (batches.length !== 2) throw new Error("overtaken");
      return ["done"];
    },
  });
  const [item] = items("a") as [Item];
  const first = queue.run(item);
  await begun(1);
  end();
  await begun(2);
  end();
  expect(await first).toBe("done");
  const second = queue.run(item).catch(String);
  for (let batch = 3; batch <= 4; batch++) {
    await begun(batch);
    end();
  }
  expect(await second).toBe("Error: overtaken");
  expect([counts, batches.length]).toEqual([[1, 1], 4]);
});

test("an item that has to wait keeps its own name waiting, and no other", async () => {
  let letGo: (result: string) => void = () => {};
  const held = new Promise<string>((resolve) => {
    letGo = resolve;
  });
  const { queue, batches, begun, end } = queueOf({
    work: async (batch) => batch.map(({ name, place }) => (place === 0 ? held : name)),
  });
  const [slow, b, again] = items("slow", "b", "slow") as [Item, Item, Item];
  const results = [queue.run(slow)];
  await begun(1);
  end();
  results.push(queue.run(again), queue.run(b));
  await begun(2);
  end();
  expect(await results[2]).toBe("b");
  expect(batches).toEqual([[slow], [b]]);
  letGo("at last");
  await begun(3);
  end();
  expect(await Promise.all(results)).toEqual(["at last", "slow", "b"]);
});

test("an owner has no more lanes than are allowed, and others take the rest", async () => {
  const owners = { ownerOf: ({ name }: Item) => name.slice(0, 1), lanes: 2 };
  const { queue, batches, begun, end } = queueOf({ lanes: 4, shardOf: ({ name }) => name, owners });
  const results = items("a1", "a2", "a3", "b1").map((item) => queue.run(item));
  await begun(3);
  const names = () => batches.map(([item]) => item?.name);
  expect(names()).toEqual(["a1", "a2", "b1"]);
  end();
  await begun(4);
  expect(names()).toEqual(["a1", "a2", "b1", "a3"]);
  for (let n = 0; n < 3; n++) end();
  expect(await Promise.all(results)).toEqual(["a10", "a21", "a32", "b13"]);
});
