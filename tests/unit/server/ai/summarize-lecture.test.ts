import { describe, expect, test } from "vitest";
import { summarise } from "#server/ai/summarize-lecture.ts";
import { estimateTokens } from "#server/ai/tokens.ts";
import { AnswerCut, ContextWindowExceeded, type Llm, type Prompt } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";

type Answer = (prompt: Prompt, number: number, signal?: AbortSignal) => AsyncIterable<string>;

async function* saying(...pieces: string[]) {
  yield* pieces;
}

/** A model that answers with `answer` and records its prompts; `atOnce` is the maximum of concurrent calls. */
function model(contextTokens: number, answer: Answer) {
  const prompts: Prompt[] = [];
  const seen = { prompts, open: 0, atOnce: 0 };
  const llm: Llm = {
    contextTokens,
    complete: async () => {
      throw new Error("a summary is streamed");
    },
    async *stream({ signal, ...prompt }) {
      seen.open += 1;
      seen.atOnce = Math.max(seen.atOnce, seen.open);
      try {
        yield* answer(prompt, prompts.push(prompt), signal);
      } finally {
        seen.open -= 1;
      }
    },
  };
  return { llm, seen };
}

/** Rejects when `signal` aborts. */
const ended = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    const refuse = () => reject(new AppError("llm_failed"));
    if (signal?.aborted) refuse();
    signal?.addEventListener("abort", refuse);
  });

async function run(
  llm: Llm,
  text: string,
  signal?: AbortSignal,
  marks: { sentence: string; note: string }[] = [],
) {
  const pieces: string[] = [];
  const task = { text, marks, languages: ["fr"], spokenIn: "en", signal } as const;
  // Empty ones only say that the work goes on.
  for await (const piece of summarise(llm, task)) if (piece !== "") pieces.push(piece);
  return pieces;
}

const isNotes = ({ system }: Prompt) => system.includes("You take notes");
const readPartNumber = ({ system }: Prompt) => Number(/part (\d+) of/.exec(system)?.[1]);
const readText = ({ user }: Prompt) => user.slice("<text>".length, -"</text>".length);
const sentences = (count: number) =>
  Array.from({ length: count }, (_, n) => `This is sentence ${n}, and it is one of many. `).join(
    "",
  );

describe("a lecture that fits", () => {
  test("is sent as one prompt, and the pieces are passed on", async () => {
    const { llm, seen } = model(8_000, () => saying("# Light", " bends"));
    expect(await run(llm, sentences(20))).toEqual(["# Light", " bends"]);
    expect(seen.prompts).toHaveLength(1);
    expect(seen.prompts.map(isNotes)).toEqual([false]);
  });

  test("may be three hours long with a usual model", async () => {
    const { llm, seen } = model(128_000, () => saying("ok"));
    await run(llm, "word and word ".repeat(9_000));
    expect(seen.prompts).toHaveLength(1);
  });
});

describe("a lecture beyond the window", () => {
  const notes: Answer = (prompt) =>
    isNotes(prompt) ? saying(`- note ${readPartNumber(prompt)}`) : saying("Som", "maire");

  test("becomes notes in parts, at most four at once; the notes are summarised in order", async () => {
    const text = sentences(2_000);
    const { llm, seen } = model(8_000, async function* (prompt, number) {
      // The first parts finish last.
      for (let turn = 0; turn < 20 - number; turn += 1) await Promise.resolve();
      yield* notes(prompt, number);
    });
    expect(await run(llm, text)).toEqual(["Som", "maire"]);
    const parts = seen.prompts.slice(0, -1);
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.every(isNotes)).toBe(true);
    const inOrder = parts.toSorted((a, b) => readPartNumber(a) - readPartNumber(b));
    expect(inOrder.map(readText).join("")).toBe(text);
    for (const { system, user } of seen.prompts)
      expect(estimateTokens(system + user)).toBeLessThan(6_000 + 10);
    const last = seen.prompts.at(-1);
    expect(last && readText(last)).toBe(parts.map((_, n) => `- note ${n + 1}`).join("\n\n"));
    expect(last?.system).toContain("notes on consecutive parts");
    expect(seen.atOnce).toBe(4);
  });

  test("hands the marks to the summary alone, and leaves space for the text", async () => {
    const { llm, seen } = model(8_000, notes);
    const marks = Array.from({ length: 500 }, () => ({ sentence: "重".repeat(900), note: "记" }));
    expect(await run(llm, sentences(2_000), undefined, marks)).toEqual(["Som", "maire"]);
    const last = seen.prompts.at(-1);
    expect(last?.user).toContain("<marks>\n⚑ 重");
    expect(estimateTokens(last?.user ?? "")).toBeLessThan(2_000);
    expect(seen.prompts.slice(0, -1).some(({ user }) => user.includes("⚑"))).toBe(false);
  });

  test("is shortened again if the notes are still too long", async () => {
    const { llm, seen } = model(4_000, (prompt) =>
      isNotes(prompt) ? saying(sentences(Math.ceil(readText(prompt).length / 500))) : saying("ok"),
    );
    expect(await run(llm, sentences(9_000))).toEqual(["ok"]);
    const rounds = seen.prompts.filter((prompt) => readPartNumber(prompt) === 1);
    expect(rounds).toHaveLength(2);
  });

  test("fails if the notes do not become shorter", async () => {
    const { llm, seen } = model(4_000, (prompt) => saying(readText(prompt)));
    expect(await getErrorCode(run(llm, sentences(300)))).toBe("llm_failed");
    expect(seen.prompts.every(isNotes)).toBe(true);
  });

  test("ends the work on all parts at the first failure", async () => {
    const { llm, seen } = model(8_000, async function* (prompt, _, signal) {
      if (readPartNumber(prompt) === 2) throw new AppError("rate_limited");
      yield "begun";
      await ended(signal);
    });
    expect(await getErrorCode(run(llm, sentences(2_000)))).toBe("rate_limited");
    await expect.poll(() => seen.open).toBe(0);
    expect(seen.prompts).toHaveLength(4);
  });

  test("is summarised without a part that has no notes", async () => {
    const { llm, seen } = model(8_000, (prompt, number) => {
      if (readPartNumber(prompt) === 2) return saying(" ");
      return readPartNumber(prompt) === 3 ? saying("[Summary ", "Failed]") : notes(prompt, number);
    });
    expect(await run(llm, sentences(2_000))).toEqual(["Som", "maire"]);
    const parts = seen.prompts.filter(isNotes).map(readPartNumber);
    const noted = parts.toSorted((a, b) => a - b).filter((part) => part !== 2 && part !== 3);
    const last = seen.prompts.at(-1);
    expect(last && readText(last)).toBe(noted.map((part) => `- note ${part}`).join("\n\n"));
  });

  test("fails if no part has notes", async () => {
    const { llm, seen } = model(8_000, (prompt) =>
      readPartNumber(prompt) === 1 ? saying() : saying("[Summary Failed]"),
    );
    expect(await getErrorCode(run(llm, sentences(2_000)))).toBe("llm_failed");
    expect(seen.prompts.every(isNotes)).toBe(true);
  });

  test("ends the work on all parts when the caller aborts", async () => {
    const hangUp = new AbortController();
    const { llm, seen } = model(8_000, async function* (_, __, signal) {
      yield "begun";
      await ended(signal);
    });
    const running = run(llm, sentences(2_000), hangUp.signal);
    await expect.poll(() => seen.open).toBe(4);
    hangUp.abort();
    expect(await getErrorCode(running)).toBe("llm_failed");
    await expect.poll(() => seen.open).toBe(0);
  });
});

describe("a model with a smaller window than configured", () => {
  const window = (tokens: number): Answer => {
    return async function* (prompt) {
      if (estimateTokens(prompt.system + prompt.user) > tokens) throw new ContextWindowExceeded();
      yield isNotes(prompt) ? "note" : "ok";
    };
  };

  test("gets smaller parts", async () => {
    const { llm, seen } = model(128_000, window(8_000));
    expect(await run(llm, sentences(2_000))).toEqual(["ok"]);
    expect(seen.prompts.filter(isNotes).length).toBeGreaterThan(4);
  });

  test("fails when nothing fits", async () => {
    const { llm, seen } = model(128_000, window(100));
    expect(await getErrorCode(run(llm, sentences(2_000)))).toBe("llm_failed");
    expect(seen.prompts.length).toBeLessThan(60);
  });
});

test("does not retry a stream that fails after its first piece", async () => {
  const { llm, seen } = model(8_000, async function* () {
    yield "half of";
    throw new AppError("llm_failed");
  });
  expect(await getErrorCode(run(llm, sentences(2)))).toBe("llm_failed");
  expect(seen.prompts).toHaveLength(1);
});

test("keeps the times of rows over notes, and cites no other", async () => {
  const { llm, seen } = model(4_000, (prompt) =>
    isNotes(prompt)
      ? saying("- Noted [0:0", "4] and [55:55]. ", "It was long enough for a note. ".repeat(5))
      : saying("## Deci", "sions\n- We go [0:", "04].\n- We stay [7", ":77]."),
  );
  const text = Array.from({ length: 400 }, (_, n) => `[0:0${n % 9}] This is sentence ${n}.`);
  const task = {
    ...({ marks: [], languages: ["fr"], spokenIn: "en", style: { template: "meeting" } } as const),
    text: text.join("\n"),
    times: new Set([4]),
  };
  let summary = "";
  for await (const piece of summarise(llm, task)) summary += piece;
  expect(summary).toBe("## Decisions\n- We go [0:04].\n- We stay.");
  const [first, last] = [seen.prompts[0], seen.prompts.at(-1)];
  expect(first && isNotes(first) && readText(first)).toContain("[0:04] This is sentence 4.");
  expect(last && readText(last)).toContain("- Noted [0:04] and. It was");
});

describe("a small model on a person's own machine", () => {
  const task = { marks: [], languages: ["fr"], spokenIn: "en" } as const;
  const text = sentences(600);

  /** Keeps notes as the database does. */
  function keepInMemory() {
    const notes = new Map<string, string | null>();
    return {
      notes,
      kept: {
        read: async () => new Map(notes),
        write: async (key: string, note: string | null) => void notes.set(key, note),
      },
    };
  }

  async function summariseWith(llm: Llm, more: object = {}) {
    let summary = "";
    for await (const piece of summarise(llm, { ...task, text, ...more })) summary += piece;
    return summary;
  }

  const note: Answer = (prompt) =>
    isNotes(prompt) ? saying(`- note ${readPartNumber(prompt)}`) : saying("Le résumé.");

  test("reads one part after the other, and says after each that it goes on", async () => {
    const { llm, seen } = model(2_048, note);
    const pieces: string[] = [];
    for await (const piece of summarise({ ...llm, concurrency: 1 }, { ...task, text }))
      pieces.push(piece);
    expect(seen.atOnce).toBe(1);
    const parts = seen.prompts.filter(isNotes).length;
    expect(parts).toBeGreaterThan(4);
    expect(pieces).toEqual([...Array.from({ length: parts }, () => ""), "Le résumé."]);
  });

  test("goes on from its notes after it was broken off, and asks for none again", async () => {
    const { kept, notes } = keepInMemory();
    let left = 5;
    const dying = model(2_048, (prompt, number) => {
      left -= 1;
      if (left < 0) throw new AppError("llm_failed");
      return note(prompt, number);
    });
    const failed = summariseWith({ ...dying.llm, concurrency: 1 }, { kept });
    expect(await getErrorCode(failed)).toBe("llm_failed");
    expect(notes.size).toBe(5);
    const whole = model(2_048, note);
    expect(await summariseWith({ ...whole.llm, concurrency: 1 }, { kept })).toBe("Le résumé.");
    const asked = whole.seen.prompts.filter(isNotes).map(readPartNumber);
    expect(asked[0]).toBe(6);
    expect(new Set(asked).size).toBe(asked.length);
    expect(whole.seen.prompts.at(-1)?.user).toContain("- note 1\n\n- note 2");
  });

  test("has a part halved that is too long, and no larger one is tried after it", async () => {
    const limit = 500;
    const refused: number[] = [];
    const { llm } = model(2_048, (prompt, number) => {
      const tokens = estimateTokens(readText(prompt));
      if (!isNotes(prompt) || tokens <= limit) return note(prompt, number);
      refused.push(tokens);
      throw new ContextWindowExceeded();
    });
    expect(await summariseWith({ ...llm, concurrency: 1 })).toBe("Le résumé.");
    expect(refused.length).toBeLessThanOrEqual(3);
  });

  test("has the halves kept too, so that nothing too long is tried again", async () => {
    const { kept } = keepInMemory();
    const tooLong = (prompt: Prompt) => estimateTokens(readText(prompt)) > 500;
    const first = model(2_048, (prompt, number) => {
      if (isNotes(prompt) && tooLong(prompt)) throw new ContextWindowExceeded();
      if (!isNotes(prompt)) throw new AppError("llm_failed");
      return note(prompt, number);
    });
    const failed = summariseWith({ ...first.llm, concurrency: 1 }, { kept });
    expect(await getErrorCode(failed)).toBe("llm_failed");
    const second = model(2_048, note);
    await summariseWith({ ...second.llm, concurrency: 1 }, { kept });
    expect(second.seen.prompts.filter(isNotes)).toEqual([]);
  });

  test("keeps notes that find no end, up to their last whole line", async () => {
    const { llm, seen } = model(2_048, async function* (prompt) {
      yield "- one point\n- and an";
      if (isNotes(prompt)) throw new AnswerCut();
    });
    await summariseWith({ ...llm, concurrency: 1 });
    const last = seen.prompts.at(-1);
    expect(last?.user).toContain("- one point\n- one point");
    expect(last?.user).not.toContain("and an");
  });

  test("takes notes of their full length once, and halves a part whose notes the window cut short", async () => {
    const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`).join(" ");
    const count = async (...notes: string[]) => {
      const { llm, seen } = model(2_048, async function* (prompt) {
        yield* isNotes(prompt) ? notes : ["Le résumé."];
        if (isNotes(prompt)) throw new AnswerCut();
      });
      await summariseWith({ ...llm, concurrency: 1 }, { text: sentences(80) });
      return seen.prompts
        .filter(isNotes)
        .map(readPartNumber)
        .filter((part) => part === 1).length;
    };
    // The prompt of such a window asks for 160 words or so.
    expect(await count(`- ${words(170)}\n- and`)).toBe(1);
    expect(await count(`- ${words(20)}\n- and`)).toBe(3);
    // A token is a piece, whatever it says.
    expect(await count(...Array.from({ length: 480 }, () => "- "))).toBe(1);
  });

  test("keeps nothing of the instructions that a model repeats in place of notes", async () => {
    const { llm, seen } = model(2_048, async function* (prompt) {
      const repeated = prompt.system.replace(/part \d+ of/, "part 7 of");
      yield isNotes(prompt) ? `${repeated}\n- one point` : "Le résumé.";
    });
    await summariseWith({ ...llm, concurrency: 1 });
    const notes = seen.prompts.at(-1)?.user ?? "";
    expect(notes).toContain("- one point");
    expect(notes).not.toMatch(/The user message holds|never a message to you/);
  });

  test("shows nothing of the instructions that a model repeats in a summary", async () => {
    const { llm } = model(8_000, ({ system }) =>
      saying(...`${system}\n\n- Le point.`.split(/(?= )/)),
    );
    const summary = await summariseWith(llm, { text: sentences(20) });
    expect(summary).toContain("- Le point.");
    expect(summary).not.toMatch(/The user message holds|never a message to you|Do not follow/);
    const short = "Write it in English.\nThe user message is short.";
    const other = model(8_000, () =>
      saying("The", " user", " message is short.", "\nWrite it", " in Eng"),
    );
    expect(await summariseWith(other.llm, { text: short, languages: ["en"] })).toBe(
      "The user message is short.\nWrite it in Eng",
    );
  });

  test("goes on without a part on which a model writes blanks without end", async () => {
    const { llm, seen } = model(2_048, async function* (prompt) {
      if (isNotes(prompt) && readPartNumber(prompt) === 2) {
        yield* Array.from({ length: 480 }, () => "\n");
        throw new AnswerCut();
      }
      yield isNotes(prompt) ? `- note ${readPartNumber(prompt)}` : "Le résumé.";
    });
    expect(await summariseWith({ ...llm, concurrency: 1 })).toBe("Le résumé.");
    expect(seen.prompts.at(-1)?.user).toContain("- note 1\n\n- note 3");
  });

  test("ends notes and a summary that go round in circles", async () => {
    const { llm } = model(2_048, async function* (prompt) {
      if (isNotes(prompt)) yield "- note\n";
      for (let line = 0; line < 1_000; line += 1) yield "- Le même point.\n";
    });
    const summary = await summariseWith({ ...llm, concurrency: 1 });
    expect(summary.split("\n").length).toBeLessThan(6);
  });

  test("shows that a summary has filled the window", async () => {
    const { llm } = model(2_048, async function* (prompt) {
      yield isNotes(prompt) ? "- note" : "Le résumé commence";
      if (!isNotes(prompt)) throw new AnswerCut();
    });
    expect(await summariseWith({ ...llm, concurrency: 1 })).toBe("Le résumé commence…");
  });

  test("is refused a summary in another language", async () => {
    const english = "The lecture is about the light and what it does in the glass. ";
    const { llm } = model(128_000, () => saying(english.repeat(20)));
    expect(await getErrorCode(summariseWith(llm))).toBe("llm_unusable");
    const chinese = { languages: ["zh-cn"] };
    expect(await getErrorCode(summariseWith(llm, chinese))).toBe("llm_unusable");
    expect(await summariseWith(llm, { languages: ["en"] })).toContain("The lecture");
  });
});
