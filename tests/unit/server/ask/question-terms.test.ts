import { expect, test } from "vitest";
import { parseQuestion } from "#server/ask/retrieval/question-terms.ts";

const list = (question: string) => parseQuestion(question).terms.map(({ text }) => text);

test.each<[question: string, terms: string[]]>([
  ["What does the lecturer say about the boiling point of water?", ["boiling", "point", "water"]],
  ["How many bits, 32 or 64?", ["bits", "32", "64"]],
  ["When did the cells die?", ["cells", "die"]],
  ["Wann hat die Revolution begonnen?", ["revolution", "begonnen"]],
  ["¿Cuándo empezó la revolución?", ["empezó", "revolución"]],
  ["学习率是多少？", ["学习", "习率"]],
  ["老师讲到光合作用的时候用了什么例子？", ["光合", "合作", "作用", "时候", "候用", "例子"]],
  ["光的波长", ["光", "波长"]],
  ["学習率とは何ですか", ["学習", "習率"]],
  ["RNN模型为什么慢？", ["rnn", "模型", "慢"]],
  ["What did he say?", []],
  ["是什么？", []],
  ["?!", []],
])("%s is searched by %j", (question, terms) => {
  expect(list(question)).toEqual(terms);
});

test("Two words side by side are a phrase, unless a word of grammar is between them", () => {
  expect(parseQuestion("Which Learning-rate and batch size?").phrases).toEqual([
    "learning-rate",
    "batch size",
  ]);
});

test("Of a long question the longest words are searched, in its order", () => {
  const words = Array.from({ length: 40 }, (_, n) => `${"x".repeat(1 + (n % 5))}${n}`);
  const terms = list(words.join(" "));
  expect(terms).toHaveLength(24);
  expect(terms).toEqual(words.filter((word) => terms.includes(word)));
  expect(Math.min(...terms.map(({ length }) => length))).toBeGreaterThan(3);
});
