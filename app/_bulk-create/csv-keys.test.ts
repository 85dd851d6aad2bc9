import { describe, expect, test } from "vitest";
import { CSV_COLUMNS, readCsv, textOfFile } from "./csv-keys";

const plain = (name: string) => ({ name, limits: {}, hasMoreCells: false });

test("all columns, in any order and letter case; empty cells are left out", async () => {
  const text = `Budget,NAME, group ,daily_limit,monthly_limit,expiry_date,input_price_limit,output_price_limit\r
100,a,Research,1,2,2030-12-31,3,4.5\r
,"b, ""quoted""
on two lines",,,,,,\r
`;
  const { keys, fault, ignored } = await readCsv(text);
  expect([fault, ignored]).toEqual([undefined, []]);
  expect(keys).toEqual([
    {
      name: "a",
      group: "Research",
      limits: {
        budget: "100",
        daily_limit: "1",
        monthly_limit: "2",
        expiry_date: "2030-12-31",
        input_price_limit: "3",
        output_price_limit: "4.5",
      },
      hasMoreCells: false,
    },
    plain('b, "quoted"\non two lines'),
  ]);
});

describe("forms of files", () => {
  test.each([
    ["a byte order mark", "\uFEFFname\na"],
    ["semicolons", "name;budget\na;"],
    ["tabs", "name\tgroup\na\t"],
    ["empty lines and lines of commas", "\nname,group\n\n,\na,\n\n"],
    ["fewer cells than the head", "name,group,budget\na"],
    ["empty cells behind", "name\na,,"],
  ])("%s", async (_, text) => {
    expect(await readCsv(text)).toEqual({ keys: [plain("a")], fault: undefined, ignored: [] });
  });

  test("a column that nothing is made of is named; a cell without a column marks its line", async () => {
    const { keys, ignored } = await readCsv("name,bugdet\na,5\nb,6,7");
    expect(ignored).toEqual(["bugdet"]);
    expect(keys).toEqual([plain("a"), { ...plain("b"), hasMoreCells: true }]);
  });

  test("text in UTF-8, and in GB 18030", () => {
    expect(textOfFile(new TextEncoder().encode("名称").buffer as ArrayBuffer)).toBe("名称");
    expect(textOfFile(new Uint8Array([0xc3, 0xfb, 0xb3, 0xc6]).buffer)).toBe("名称");
  });
});

test.each([
  ["noName", "a\nb"],
  ["noName", ""],
  ["twice", "name,budget,Budget\na,1,2"],
  ["noRow", "name,budget\n\n"],
  ["openQuote", 'name,budget\n"a,1'],
])("%s: %j", async (fault, text) => {
  expect(await readCsv(text)).toMatchObject({ keys: [], fault });
});

test("the head of the template is one that is read whole", async () => {
  const { fault, ignored } = await readCsv(`${CSV_COLUMNS.join(",")}\na`);
  expect([fault, ignored]).toEqual([undefined, []]);
});
