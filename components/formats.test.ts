import { describe, expect, test } from "vitest";
import { createFormats } from "./formats";

const NOW = new Date("2026-11-21T16:30:00Z");
const english = createFormats("en", "Asia/Shanghai", NOW);
const chinese = createFormats("zh-CN", "Asia/Shanghai", NOW);

describe("amounts of a column", () => {
  test.each([
    [
      [0, 12],
      ["¥0", "¥12"],
    ],
    [
      [0, 7.5, 1234.5],
      ["¥0.00", "¥7.50", "¥1,234.50"],
    ],
    [
      [1, 0.1234, 1e-9],
      ["¥1.0000", "¥0.1234", "<\u00a0¥0.0001"],
    ],
  ])("%j", (yuans, texts) => {
    expect(yuans.map(english.aligned(yuans))).toEqual(texts);
  });
});

describe("amounts", () => {
  test.each([
    [0, "¥0"],
    [1234, "¥1,234"],
    [12.5, "¥12.50"],
    [0.1234, "¥0.1234"],
    [1234.56789, "¥1,234.5679"],
    [0.99999, "¥1"],
    [0.00001, "<\u00a0¥0.0001"],
    [-3.5, "−¥3.50"],
    [1e15, "¥1,000,000,000,000,000"],
  ])("%d reads %s", (yuan, text) => {
    expect(english.amount(yuan)).toBe(text);
    expect(chinese.amount(yuan)).toBe(text);
  });
});

describe("amounts of single calls", () => {
  test.each([
    [0, "¥0"],
    [0.00018, "¥0.00018"],
    [1e-9, "¥0.000000001"],
    [0.05, "¥0.05"],
    [-0.00003, "−¥0.00003"],
    [0.12345, "¥0.1235"],
    [1234.5, "¥1,234.50"],
  ])("%d reads %s", (yuan, text) => {
    expect(english.callAmount(yuan)).toBe(text);
    expect(chinese.callAmount(yuan)).toBe(text);
  });
});

describe("dates", () => {
  test("a calendar day is of no zone", () => {
    expect(english.date("2026-12-31")).toBe("Dec 31, 2026");
    expect(createFormats("zh-CN", "Pacific/Pago_Pago", NOW).date("2026-12-31")).toBe("2026年12月31日");
  });

  test("a moment is told in the zone of the account, from seconds too", () => {
    expect(english.moment(NOW)).toBe("Nov 22, 2026, 00:30");
    expect(english.moment(NOW.getTime() / 1000)).toBe("Nov 22, 2026, 00:30");
    expect(english.moment(NOW, { withZone: true })).toBe("Nov 22, 2026, 00:30 GMT+8");
    expect(chinese.moment(NOW, { withZone: true })).toBe("2026年11月22日 00:30 GMT+8");
  });

  test("today is the zone's", () => {
    expect(english.today()).toBe("2026-11-22");
    expect(createFormats("en", "UTC", NOW).today()).toBe("2026-11-21");
  });

  test.each([
    [-20, "now", "现在"],
    [-125, "2 minutes ago", "2 分钟前"],
    [-90_000, "yesterday", "昨天"],
    [3 * 86_400, "in 3 days", "3 天后"],
  ])("%d seconds from now", (seconds, inEnglish, inChinese) => {
    const at = NOW.getTime() / 1000 + seconds;
    expect(english.relative(at)).toBe(inEnglish);
    expect(chinese.relative(at)).toBe(inChinese);
  });

  test.each([
    [900, "15 minutes", "15 分钟"],
    [3_600, "1 hour", "1 小时"],
    [7 * 86_400, "7 days", "7 天"],
  ])("%d seconds long", (seconds, inEnglish, inChinese) => {
    expect(english.duration(seconds)).toBe(inEnglish);
    expect(chinese.duration(seconds)).toBe(inChinese);
  });
});
