import { describe, expect, it } from "vitest";
import type { ImportServer } from "#client/features/import/import-server.ts";
import type { ImportedRow } from "#client/features/import/imported-rows.ts";
import { type ImportJob, storeLecture } from "#client/features/import/store-lecture.ts";
import { ApiError } from "#client/lib/api-error.ts";
import { appendEntriesInput, type TranscriptEntry } from "#shared/lecture.ts";

const row = (change: Partial<ImportedRow>): ImportedRow => ({
  english: "Hello.",
  translated: "",
  speaker: null,
  startMs: 0,
  endMs: 0,
  ...change,
});

const order = (rows: ImportedRow[], change: Partial<ImportJob> = {}): ImportJob => ({
  id: crypto.randomUUID(),
  title: "Talk",
  folderId: null,
  targetLanguage: "zh-cn",
  translatedInto: null,
  rows,
  ...change,
});

/** Keeps what the procedures would; `failing` answers a call with an error, after it was done. */
function serverWith(failing: (call: string, count: number) => ApiError | null = () => null) {
  const state = {
    created: new Set<string>(),
    entries: new Map<number, TranscriptEntry>(),
    names: {} as Record<string, string>,
    folder: null as string | null,
    completed: false,
    calls: [] as string[],
  };
  const done = (call: string) => {
    state.calls.push(call);
    const failure = failing(call, state.calls.filter((one) => one === call).length);
    if (failure) throw failure;
  };
  const server: ImportServer = {
    async create({ id }) {
      state.created.add(id);
      done("create");
    },
    async append(input) {
      const { from, entries } = appendEntriesInput.parse(input);
      if (from > 0 && !state.entries.has(from - 1)) throw new ApiError("entries_gap", false);
      for (const [index, entry] of entries.entries()) state.entries.set(from + index, entry);
      done("append");
    },
    async setSpeakerNames({ speakerNames = {} }) {
      state.names = speakerNames;
      done("name");
    },
    async move({ folderId }) {
      state.folder = folderId;
      done("move");
    },
    async complete() {
      state.completed = true;
      done("complete");
    },
  };
  return { server, state };
}

describe("storeLecture", () => {
  it("stores a lecture in batches, with numbered speakers, in its folder", async () => {
    const rows = Array.from({ length: 1_201 }, (_, at) =>
      row({
        english: `Sentence ${at}.`,
        translated: at === 0 ? "句子。" : "",
        speaker: ["Ann", "S1", "Bob", null][at % 4] ?? null,
        startMs: at * 10,
        endMs: at * 10 + 5,
      }),
    );
    const { server, state } = serverWith();
    const progress: number[] = [];
    const folderId = crypto.randomUUID();
    const settings = { folderId, translatedInto: "zh-cn" } as const;
    const result = await storeLecture(server, order(rows, settings), (done) => progress.push(done));
    expect(result).toEqual({ filed: true });
    expect(progress).toEqual([500, 1_000, 1_201]);
    expect([...state.entries.values()].map((entry) => entry.english)).toEqual(
      rows.map((one) => one.english),
    );
    expect([...state.entries.values()].slice(0, 4).map((entry) => entry.speaker)).toEqual([
      "2",
      "1",
      "3",
      null,
    ]);
    expect(state.names).toEqual({ 2: "Ann", 3: "Bob" });
    // What has no translation waits for one: opening the lecture asks for it.
    expect(state.entries.get(0)).toMatchObject({ translatedInto: "zh-cn", revision: 1 });
    expect(state.entries.get(1)).toMatchObject({ translatedInto: null, revision: 0 });
    expect([state.folder, state.completed]).toEqual([folderId, true]);
  });

  it("continues after a failure with the same lecture", async () => {
    const rows = Array.from({ length: 1_100 }, (_, at) =>
      row({ english: `S ${at}.`, startMs: at }),
    );
    const lecture = order(rows.map((one) => ({ ...one, endMs: one.startMs })));
    const { server, state } = serverWith((call, count) =>
      call === "append" && count === 2 ? new ApiError("unavailable", true) : null,
    );
    await expect(storeLecture(server, lecture, () => {})).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(state.completed).toBe(false);
    await storeLecture(server, lecture, () => {});
    expect([...state.created]).toEqual([lecture.id]);
    expect([...state.entries.values()].map((entry) => entry.english)).toEqual(
      rows.map((one) => one.english),
    );
    expect(state.completed).toBe(true);
  });

  it("keeps the lecture if its folder was deleted", async () => {
    const { server, state } = serverWith((call) =>
      call === "move" ? new ApiError("not_found", false) : null,
    );
    const lecture = order([row({})], { folderId: crypto.randomUUID() });
    expect(await storeLecture(server, lecture, () => {})).toEqual({ filed: false });
    expect(state.completed).toBe(true);
  });

  it("stays below the request limit and loses no name", async () => {
    const rows = Array.from({ length: 60 }, (_, at) =>
      row({ english: "长".repeat(5_000), speaker: `${"N".repeat(at + 20)}` }),
    );
    const { server, state } = serverWith();
    await storeLecture(server, order(rows), () => {});
    expect(state.calls.filter((call) => call === "append")).toHaveLength(1);
    expect(Object.values(state.names).every((name) => name.length <= 40)).toBe(true);
    expect(Object.keys(state.names).length).toBeLessThanOrEqual(50);
    const last = state.entries.get(59);
    expect([last?.speaker, last?.english.startsWith(`${"N".repeat(79)}: 长`)]).toEqual([
      null,
      true,
    ]);
    expect(state.entries.get(30)?.speaker).toBe("N".repeat(50));
  });
});
