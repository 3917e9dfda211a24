import type { AnswerEvent, AskInput, CitedRow, Question } from "#shared/question.ts";

/** A row that an answer names. */
export const row = (position: number, change: Partial<CitedRow> = {}): CitedRow => ({
  lectureId: "l",
  title: "",
  position,
  startMs: position * 5_000,
  original: `Sentence ${position}.`,
  spokenIn: "en",
  translated: "",
  translatedInto: null,
  ...change,
});

export const createInput = (id: string): AskInput => ({
  id,
  scope: { lectureId: "l", folderId: null },
  kind: "asked",
  question: "Why?",
  follows: null,
  answerIn: "en",
});

/** A question that the server has kept, with one line as its answer. */
export const createKept = (id: string): Question => ({
  id,
  scope: { lectureId: "l", folderId: null },
  kind: "asked",
  question: `Question ${id}?`,
  follows: null,
  nearest: [],
  answeredIn: "en",
  createdAt: "2026-11-20T09:02:00.000Z",
  statements: [{ text: `Answer to ${id}.`, rows: [row(1)], quote: "" }],
});

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** An answer that the test writes piece by piece. `write` resolves when what was written has been read. */
export function createPipe() {
  const events: (AnswerEvent | Error | null)[] = [];
  let wake = () => {};
  const add = (...more: typeof events) => {
    events.push(...more);
    wake();
  };
  const pipe = {
    signal: null as AbortSignal | null,
    write: (...more: AnswerEvent[]) => {
      add(...more);
      return tick();
    },
    end: () => add(null),
    fail: (failure: Error) => add(failure),
    async *read(signal: AbortSignal): AsyncGenerator<AnswerEvent> {
      pipe.signal = signal;
      for (;;) {
        const event = events.shift();
        if (event === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else if (event === null) return;
        else if (event instanceof Error) throw event;
        else yield event;
      }
    },
  };
  return pipe;
}
