import { expect, it, test } from "vitest";
import { mayHaveSpokenMath } from "#client/reading/formulas/find-spoken-math.ts";

test.each([
  "x squared plus one over n",
  "The mean is the sum of the terms over n.",
  "So y equals m x plus b.",
  "Take the square root of two.",
  "The integral from zero to one of x dx.",
  "e to the minus x",
  "The derivative of y with respect to x",
  "f of x is three",
  "x sub i goes to zero",
  "The limit as n goes to infinity.",
  "Sum from i equals one to n.",
  "n choose k",
  "alpha times beta",
  "Force equals mass times acceleration.",
  "That gives x² + 1.",
  "x - 1 < y",
  "x的平方加上n分之一",
  "根号二约等于一点四",
  "力等于质量乘以加速度",
  "对x求导",
  "x大于零",
  "a加b",
  "当n趋于无穷",
])("offers a formula for “%s”", (sentence) => {
  expect(mayHaveSpokenMath(sentence)).toBe(true);
});

test.each([
  "Good morning, and welcome to the second lecture.",
  "We talked about this over the last two weeks.",
  "A lot of people think so, and I agree.",
  "There are three reasons, one of them is plus size fashion.",
  "Read chapter seven by next Monday.",
  "It is less than I hoped.",
  "The plan was over in a week or two.",
  "She lives in a house by the sea.",
  "I wrote it to a friend, and then to my brother.",
  "We need more time for this part of the course.",
  "Vitamin C is good for you.",
  "今天我们讲第三章，请大家翻到第二十页。",
  "百分之二十的人同意这个观点。",
  "这个房间有三十平方米。",
  "大家加油，减少浪费。",
  "我们比他们早到了一个小时。",
  "",
])("does not for “%s”", (sentence) => {
  expect(mayHaveSpokenMath(sentence)).toBe(false);
});

it("looks at each word once, however long a sentence is", () => {
  for (const part of ["word ", "over ", "乘", "无", "a-", "the "]) {
    let steps = 0;
    mayHaveSpokenMath(part.repeat(10_000), () => {
      steps += 1;
    });
    expect(steps).toBeLessThanOrEqual(part.length * 10_000);
  }
});
