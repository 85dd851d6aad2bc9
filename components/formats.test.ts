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
    [3 * 86_400, "in 3 days", "3 天后"],
    [-8 * 86_400, "1 week ago", "1 周前"],
    [-59 * 86_400, "1 month ago", "1 个月前"],
  ])("%d seconds from now", (seconds, inEnglish, inChinese) => {
    const at = NOW.getTime() / 1000 + seconds;
    expect(english.relative(at)).toBe(inEnglish);
    expect(chinese.relative(at)).toBe(inChinese);
  });

  test.each([
    ["2026-11-20T15:59:59Z", "2 days ago", "前天"],
    ["2026-11-20T16:00:00Z", "yesterday", "昨天"],
    ["2026-11-23T15:59:59Z", "tomorrow", "明天"],
    ["2026-11-23T16:00:00Z", "in 2 days", "后天"],
  ])("%s is so many days of the calendar from now", (moment, inEnglish, inChinese) => {
    expect(english.relative(new Date(moment))).toBe(inEnglish);
    expect(chinese.relative(new Date(moment))).toBe(inChinese);
  });

  test("what is 24 hours away in a day of 25 is today", () => {
    const evening = createFormats("en", "Europe/Berlin", new Date("2026-10-25T22:30:00Z"));
    expect(evening.relative(new Date("2026-10-24T22:10:00Z"))).toBe("24 hours ago");
    expect(evening.relative(new Date("2026-10-24T21:59:00Z"))).toBe("yesterday");
  });

  test.each([
    ["Europe/Berlin", "2026-10-24T23:59:59Z", "Oct 25, 2026, 01:59"],
    ["Europe/Berlin", "2026-10-25T00:30:00Z", "Oct 25, 2026, 02:30 GMT+2"],
    ["Europe/Berlin", "2026-10-25T01:30:00Z", "Oct 25, 2026, 02:30 GMT+1"],
    ["Europe/Berlin", "2026-10-25T02:00:00Z", "Oct 25, 2026, 03:00"],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", "Mar 29, 2026, 03:00"],
    ["America/New_York", "2026-11-01T05:15:00Z", "Nov 1, 2026, 01:15 EDT"],
    ["America/New_York", "2026-11-01T06:15:00Z", "Nov 1, 2026, 01:15 EST"],
    ["Australia/Lord_Howe", "2026-04-04T14:45:00Z", "Apr 5, 2026, 01:45 GMT+11"],
    ["Australia/Lord_Howe", "2026-04-04T15:15:00Z", "Apr 5, 2026, 01:45 GMT+10:30"],
    ["Antarctica/Troll", "2026-10-24T23:30:00Z", "Oct 25, 2026, 01:30 GMT+2"],
  ])("in %s, %s reads %s", (zone, moment, text) => {
    expect(createFormats("en", zone, NOW).moment(new Date(moment))).toBe(text);
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
