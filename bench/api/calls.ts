import { randomUUID } from "node:crypto";
import { toEnglishWord } from "#bench/library-data.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import type { ApiUser } from "./stack.ts";

/** One call as a page sends it. Batches are named by their purpose. */
export interface ApiCall {
  name: string;
  /** Each query of a batch with its input, or one mutation. */
  procedures: readonly (readonly [path: string, input: unknown])[];
  isMutation?: true;
  /** The answer is a stream. */
  isStreamed?: true;
}

/** What a user's pages call on turn `turn`; a write changes something else each time. */
export function listCalls(user: ApiUser, turn: number): ApiCall[] {
  const { folderId, draftId, lectureIds } = user;
  const lectureId = lectureIds[turn % lectureIds.length] ?? "";
  const query = (path: string, input?: unknown): ApiCall => ({
    name: `\`${path}\``,
    procedures: [[path, input]],
  });
  const write = (path: string, input: unknown): ApiCall => ({
    ...query(path, input),
    isMutation: true,
  });
  const calls: ApiCall[] = [
    {
      name: "home: lectures and folders in one request",
      procedures: [
        ["lectures.list", {}],
        ["folders.chips", {}],
      ],
    },
    {
      name: "a lecture: rows, marks and takes in one request",
      procedures: [
        ["lectures.get", { id: lectureId, texts: false }],
        ["marks.list", { lectureId }],
        ["takes.list", { lectureId }],
      ],
    },
    query("auth.session"),
    query("lectures.list", {}),
    query("lectures.get", { id: lectureId, texts: false }),
    query("lectures.item", { id: lectureId }),
    query("lectures.search", { query: toEnglishWord(20 + (turn % 200)) }),
    query("folders.list"),
    query("marks.list", { lectureId }),
    query("glossary.get", { folderId }),
    query("trash.list", {}),
    query("profiles.get"),
    query("ask.list", { scope: { lectureId, folderId: null } }),
    write("lectures.saveRows", { lectureId: draftId, entries: twoRows(turn), deleted: [] }),
    write("lectures.change", { id: lectureId, context: `Context ${turn}` }),
    write("marks.change", {
      lectureId,
      marks: [{ id: randomUUID(), atMs: turn * 1_000, position: null, note: "A mark" }],
      deletedIds: [],
    }),
    write("folders.rename", { id: folderId, name: `Course ${turn}` }),
    write("ai.translate", {
      text: `A sentence of turn ${turn}.`,
      targetLanguage: "fr",
      context: "",
      wordContext: "",
    }),
  ];
  return calls;
}

/** An auto-save of what was said in some seconds. */
const twoRows = (turn: number) =>
  [2 * turn, 2 * turn + 1].map((ordinal) =>
    createEntry(`Sentence ${ordinal} that was spoken just now.`, ordinal * 4_000, {
      ordinal,
      translated: `Phrase ${ordinal}.`,
      translatedInto: "fr",
      endMs: ordinal * 4_000 + 3_000,
    }),
  );

/** Sends `call`, and reads the whole answer. @throws when it, or one of its procedures, is refused. */
export async function send(url: string, { cookie }: ApiUser, call: ApiCall): Promise<void> {
  const path = call.procedures.map(([procedure]) => procedure).join();
  const inputs = Object.fromEntries(call.procedures.map(([, input], index) => [index, input]));
  const headers = { cookie, origin: url, "sec-fetch-site": "same-origin" };
  const answer = call.isMutation
    ? await fetch(`${url}/trpc/${path}?batch=1`, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          ...(call.isStreamed && { "trpc-accept": "application/jsonl" }),
        },
        body: JSON.stringify(inputs),
      })
    : await fetch(
        `${url}/trpc/${path}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`,
        { headers },
      );
  const text = await answer.text();
  // A stream that fails has begun with 200.
  const hasResults = call.isStreamed
    ? !text.includes('"appCode"')
    : hasAllResults(text, call.procedures.length);
  if (!answer.ok || !hasResults) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
}

/** True if the answer to a batch of `count` procedures has a result for each. Such an answer is 207 where one has failed. */
export function hasAllResults(text: string, count: number): boolean {
  try {
    const results: unknown = JSON.parse(text);
    return (
      Array.isArray(results) && results.length === count && results.every((one) => one?.result)
    );
  } catch {
    return false;
  }
}
