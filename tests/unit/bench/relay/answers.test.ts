import { describe, expect, it } from "vitest";
import { EchoAnswers } from "#bench/relay/answers.ts";

const word = (chunk: number) => ({
  type: "tokens",
  tokens: [{ text: ` ${chunk}`, is_final: true }],
});

function send(count: number): EchoAnswers {
  const answers = new EchoAnswers();
  for (let chunk = 0; chunk < count; chunk += 1) expect(answers.addChunk()).toBe(chunk);
  return answers;
}

/** All answers to three chunks, in order. */
const all = [word(0), word(1), word(2), { type: "ack", seq: 2 }, { type: "finalized" }];

function answer(frames: readonly object[]): EchoAnswers {
  const answers = send(3);
  for (const frame of frames) answers.receive(frame);
  return answers;
}

describe("EchoAnswers", () => {
  it("accepts a recording whose words are all back and whose chunks are all acknowledged", () => {
    expect(answer(all).findFault(true)).toBeNull();
  });

  it("names the chunks whose words a frame brings, once", () => {
    const answers = send(3);
    expect(answers.receive({ type: "ready" })).toEqual([]);
    expect(answers.receive({ tokens: [...word(0).tokens, ...word(1).tokens] })).toEqual([0, 1]);
    expect(answers.receive(word(1))).toEqual([]);
  });

  it("knows the words of sentences", () => {
    const answers = send(2);
    const tokens = [" word0", " word1."].map((text) => ({ text, is_final: true }));
    expect(answers.receive({ tokens })).toEqual([0, 1]);
  });

  it("does not take an interim word, a mark or an empty message for an answer", () => {
    const answers = send(1);
    expect(answers.receive({ tokens: [{ text: " 0", is_final: false }] })).toEqual([]);
    expect(answers.receive({ tokens: [{ text: "<fin>", is_final: true }] })).toEqual([]);
    expect(answers.receive({ tokens: [{ text: " ", is_final: true }] })).toEqual([]);
    expect(answers.receive({ tokens: [] })).toEqual([]);
    expect(answers.findFault(false)).toBe("1 of 1 chunks have no word");
  });

  it.each(all.map((_, dropped) => dropped))("finds that answer %i is missing", (dropped) => {
    expect(answer(all.toSpliced(dropped, 1)).findFault(true)).not.toBeNull();
  });

  it("finds that the last chunk is not acknowledged", () => {
    const answers = answer(all.with(3, { type: "ack", seq: 1 }));
    expect(answers.findFault(true)).toBe("1 of 3 chunks are not acknowledged");
  });

  it("expects no acknowledgement from a path that has none", () => {
    expect(answer(all.slice(0, 3)).findFault(false)).toBeNull();
    expect(answer(all.slice(0, 2)).findFault(false)).toBe("1 of 3 chunks have no word");
  });

  it("finds words that are doubled, out of order or of no chunk", () => {
    const fault = "words are doubled or out of order";
    expect(answer([...all, word(2)]).findFault(true)).toBe(fault);
    expect(answer([word(1), word(0), ...all.slice(2)]).findFault(true)).toBe(fault);
    expect(answer([...all, word(3)]).findFault(true)).toBe(fault);
  });

  it("finds that nothing was sent", () => {
    expect(new EchoAnswers().findFault(false)).toBe("no chunk was sent");
  });
});
