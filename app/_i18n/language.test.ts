import { describe, expect, test } from "vitest";
import { chooseLanguage } from "./language";

describe("the language of a page", () => {
  test("is the account's before the cookie's before the browser's", () => {
    expect(chooseLanguage({ account: "zh-CN", cookie: "en", accepted: "en" })).toBe("zh-CN");
    expect(chooseLanguage({ account: null, cookie: "zh-CN", accepted: "en" })).toBe("zh-CN");
    expect(chooseLanguage({ account: null, accepted: "zh-TW,zh;q=0.9,en;q=0.8" })).toBe("zh-CN");
  });

  test("is the one the browser weighs most, among those there are", () => {
    expect(chooseLanguage({ accepted: "fr;q=1, en;q=0.4, zh-Hans-CN;q=0.6" })).toBe("zh-CN");
    expect(chooseLanguage({ accepted: "zh;q=0, en;q=0.1" })).toBe("en");
  });

  test("is English where nothing fits", () => {
    for (const wishes of [{}, { accepted: "" }, { accepted: "fr, de" }, { cookie: "tlh", accepted: null }]) {
      expect(chooseLanguage(wishes)).toBe("en");
    }
  });
});
