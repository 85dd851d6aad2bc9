import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ceilingsOf } from "./allowed";
import { Catalogue } from "./catalogue";
import { listAllowedModels } from "./model-list";
import { type ModelPrice, PriceList } from "./price-list";

const TODAY = "2026-11-22";

/** A price that its id is told by. */
function price(id: string, name: string, more: Partial<ModelPrice> = {}): ModelPrice {
  const prices = { input: 1n, output: 1n, cachedInput: 1n };
  return { id, name, source: "operator", aliases: [], prices, maxOutputTokens: null, validFrom: "1970-01-01", ...more };
}

describe("the price of a model", () => {
  test("a name counts before an alias, and an alias before a pattern", () => {
    const pattern = price("pattern", "gpt-*");
    const alias = price("alias", "omni", { aliases: ["gpt-4o"] });
    const name = price("name", "gpt-4o");
    const found = (...prices: ModelPrice[]) => new PriceList(prices).find("gpt-4o", TODAY)?.id;
    expect(found(pattern, alias, name)).toBe("name");
    expect(found(pattern, alias)).toBe("alias");
    expect(found(pattern)).toBe("pattern");
    expect(found(price("other", "gpt-4"))).toBeUndefined();
  });

  test("of patterns the most exact one counts, and a `*` stands for any characters, also none", () => {
    const list = new PriceList([
      price("a", "gpt-*"),
      price("b", "gpt-4o*"),
      price("c", "*min*"),
      price("d", "*-x*y*-z"),
    ]);
    expect(list.find("gpt-4o", TODAY)?.id).toBe("b");
    expect(list.find("gpt-4o-mini", TODAY)?.id).toBe("b");
    expect(list.find("gpt-4.1-mini", TODAY)?.id).toBe("a");
    expect(list.find("mini", TODAY)?.id).toBe("c");
    expect(list.find("m-x1y2-z", TODAY)?.id).toBe("d");
    expect(list.find("m-xy-z", TODAY)?.id).toBe("d");
    expect(list.find("m-x-z", TODAY)).toBeUndefined();
    expect(list.find("GPT-4o", TODAY)).toBeUndefined();
  });

  test("a pattern matches what has its parts in order, none of them inside another", () => {
    const name = fc.stringMatching(/^[ab]{0,6}$/);
    const pattern = fc.stringMatching(/^[ab*]{0,6}\*[ab*]{0,6}$/);
    const check = (pattern: string, name: string) => {
      const isMatch = new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(name);
      expect(new PriceList([price("p", pattern)]).find(name, TODAY) !== undefined, `${pattern} of ${name}`).toBe(
        isMatch,
      );
    };
    for (const [pattern, name] of [
      ["*ab*ab*", "ab"],
      ["*ab*b", "ab"],
      ["a*a", "a"],
      ["*aa*ab*", "aab"],
    ] as const) {
      check(pattern, name);
    }
    fc.assert(fc.property(pattern, name, check), { numRuns: 1_000 });
  });

  test("of several aliases the newest price counts, and then, as of equal patterns, the first by name", () => {
    const [older, newer] = [
      price("older", "a", { aliases: ["n"] }),
      price("newer", "z", { aliases: ["n"], validFrom: TODAY }),
    ];
    const [first, second] = [price("first", "b", { aliases: ["n"] }), price("second", "c", { aliases: ["n"] })];
    const patterns = [price("last by name", "m-*", { validFrom: TODAY }), price("first by name", "*-m")];
    for (const list of [
      [older, newer, first, second, ...patterns],
      [...patterns, second, first, newer, older].reverse(),
      [...patterns, second, first, newer, older],
    ]) {
      const found = (model: string, day: string, of = list) => new PriceList(of).find(model, day)?.id;
      expect(found("n", TODAY)).toBe("newer");
      expect(found("n", "2026-11-21")).toBe("older");
      expect(
        found(
          "n",
          TODAY,
          list.filter((each) => each !== newer && each !== older),
        ),
      ).toBe("first");
      expect(found("m-m", TODAY)).toBe("first by name");
    }
  });

  test("a pattern is not a name of a model", () => {
    expect(new PriceList([price("a", "b*c")]).find("b*c", TODAY)?.id).toBe("a");
    expect(new PriceList([price("a", "b*c")]).find("b*", TODAY)).toBeUndefined();
  });

  test("the one that began last counts, and one that begins later does not yet", () => {
    const prices = [
      price("old", "m", { aliases: ["n"] }),
      price("new", "m", { validFrom: TODAY }),
      price("next", "m", { validFrom: "2026-11-23" }),
    ];
    for (const list of [new PriceList(prices), new PriceList(prices.toReversed())]) {
      expect(list.find("m", "2026-11-21")?.id).toBe("old");
      expect(list.find("m", TODAY)?.id).toBe("new");
      expect(list.find("m", "2026-11-23")?.id).toBe("next");
      expect(list.find("n", "2026-11-21")?.id).toBe("old");
      expect(list.find("n", TODAY)).toBeUndefined();
    }
  });

  test("a price of the account counts before any of the operator", () => {
    const own = new PriceList([price("own", "gpt-*"), price("later", "m", { validFrom: "2027-01-01" })]);
    const operators = new PriceList([price("theirs", "gpt-4o"), price("m", "m"), price("z", "z")]);
    const catalogue = new Catalogue(own, operators, TODAY);
    expect(catalogue.find("gpt-4o")?.id).toBe("own");
    expect(catalogue.find("m")?.id).toBe("m");
    expect(catalogue.inForce().map(({ id }) => id)).toEqual(["own", "m", "z"]);
  });

  test("an alias of the operator counts as its model, also where the account has a pattern for that", () => {
    const operators = new PriceList([price("theirs", "example-large", { aliases: ["latest"] })]);
    const named = new Catalogue(new PriceList([price("own", "example-large")]), operators, TODAY);
    expect(named.find("latest")).toMatchObject({ id: "own", name: "example-large" });
    const byPattern = new Catalogue(new PriceList([price("own", "example-*")]), operators, TODAY);
    expect(byPattern.find("latest")).toMatchObject({ id: "own", name: "example-large", aliases: ["latest"] });
    // The name itself is told by the pattern.
    const { models } = listAllowedModels(byPattern, ceilingsOf({ input_price_limit: null, output_price_limit: null }));
    expect(models.map(({ name, price }) => [name, price.id])).toEqual([["latest", "own"]]);
  });
});
