import { expect, test } from "vitest";
import { TranscriptWriter } from "#client/lecture/rows/transcript-writer.ts";
import { countTokens } from "#local/llm/completion.ts";
import { createTranslationPrompt } from "#server/ai/translation.ts";
import { sampleOpening } from "#shared/sample-lecture.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

/** A word of a lecture at 150 words a minute. */
const wordMs = 400;

/**
 * A minute of speech with a model that answers after `answerMs`, one word after another, each interim at first: what the
 * model is sent, and what becomes of the rows.
 */
async function speakForAMinute(answerMs: number) {
  const clock = new ManualClock();
  const startedAt = clock.now();
  const sent = { requests: 0, tokens: 0, aborted: 0, order: [] as number[] };
  const writer = new TranscriptWriter(
    {
      clock,
      log: { warn() {} },
      newId: () => crypto.randomUUID(),
      wordContext: () => "",
      onRowChange() {},
      onFailed() {},
      translate: (input, signal) => {
        const { system, user } = createTranslationPrompt(input);
        sent.requests += 1;
        sent.tokens += countTokens(system) + countTokens(user);
        signal.addEventListener("abort", () => {
          sent.aborted += 1;
        });
        return new Promise((resolve) => clock.after(answerMs, () => resolve(`译：${input.text}`)));
      },
    },
    {
      rows: [],
      finalMs: 0,
      languages: { sourceLanguage: "en", targetLanguage: "zh-cn", isTwoWay: false },
    },
  );
  const source = writer.openSource(() => {});
  const languages = { language: "en", secondLanguage: null } as const;
  const about = { diarization: false, languages };
  const words = sampleOpening.flatMap(({ original }) => original.split(" "));
  let at = 0;
  for (const [index, word] of words.entries()) {
    if (at >= 60_000) break;
    const token = (text: string, isFinal: boolean, startMs: number) => ({
      text: ` ${text}`,
      is_final: isFinal,
      start_ms: startMs,
      end_ms: startMs + wordMs,
    });
    const next = words[index + 1];
    const tokens = [token(word, true, at), ...(next ? [token(next, false, at + wordMs)] : [])];
    at += wordMs;
    source.addTokens(
      {
        type: "tokens",
        tokens,
        audio_final_proc_ms: at,
        audio_total_proc_ms: at,
      },
      about,
    );
    await clock.advance(wordMs);
  }
  const spokenMs = clock.now() - startedAt;
  const waitingAtEnd = writer.translator.pendingCount;
  source.endSentence();
  await clock.advance(600_000);
  const rows = writer.transcript.rows();
  return { ...sent, spokenMs, rows: rows.length, waitingAtEnd, all: rows };
}

/** Of the same minute with the long prompt of 2026-11-28, in as many requests. */
const tokensBefore = 8_915;

test("a minute of speech costs a good model less than half of what it did, with every row translated", async () => {
  const cost = await speakForAMinute(700);
  expect(cost.spokenMs).toBeGreaterThanOrEqual(59_000);
  expect(cost.rows).toBeGreaterThanOrEqual(6);
  expect(cost.all.every(({ translation }) => translation === "done")).toBe(true);
  expect(cost.tokens).toBeLessThan(tokensBefore / 2);
});

test("a slow model is asked for rows alone, and ends with every row translated", async () => {
  const cost = await speakForAMinute(9_000);
  expect(cost.all.every(({ translation }) => translation === "done")).toBe(true);
  // The first preview shows that there is no time for others.
  expect(cost.requests).toBeLessThanOrEqual(cost.rows + 1);
  expect(cost.aborted).toBeLessThanOrEqual(1);
});
