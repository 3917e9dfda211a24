import { expect, it, vi } from "vitest";
import type { ImportServer } from "#client/features/import/import-server.ts";
import type { ImportedRow } from "#client/features/import/imported-rows.ts";
import { type ImportJob, storeLecture } from "#client/features/import/store-lecture.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { saveRowsInput } from "#shared/lecture.ts";
import { type StoredRows, saveRows } from "#tests/unit/client/recorder/kit/row-store.ts";

const row = (change: Partial<ImportedRow>): ImportedRow => ({
  original: "Hello.",
  translated: "",
  speaker: null,
  startMs: 0,
  endMs: 0,
  ...change,
});

const createJob = (rows: ImportedRow[], change: Partial<ImportJob> = {}): ImportJob => ({
  id: crypto.randomUUID(),
  title: "Talk",
  folderId: null,
  sourceLanguage: "en",
  targetLanguage: "zh-cn",
  translatedInto: null,
  hasDemoText: false,
  rows,
  ...change,
});

/** A server that accepts everything, and stores rows as its procedure would. */
function createServer() {
  const stored: StoredRows = { entries: [], seq: 0, deletedSeqs: new Map() };
  const server = {
    create: vi.fn<ImportServer["create"]>(async () => {}),
    saveRows: vi.fn<ImportServer["saveRows"]>(async (input) =>
      saveRows(stored, saveRowsInput.parse(input)),
    ),
    setSpeakerNames: vi.fn<ImportServer["setSpeakerNames"]>(async () => {}),
    move: vi.fn<ImportServer["move"]>(async () => {}),
    complete: vi.fn<ImportServer["complete"]>(async () => {}),
  };
  const getSpeakerNames = () => server.setSpeakerNames.mock.lastCall?.[0].speakerNames ?? {};
  return { server, getEntries: () => stored.entries, getSpeakerNames };
}

it("stores the language of its speech, and asks for no translation into the same one", async () => {
  const rows = [row({ original: "Guten Tag." }), row({ original: "Ja.", translated: "Yes." })];
  for (const [targetLanguage, awaited] of [
    ["en", "en"],
    ["de", null],
    ["none", null],
  ] as const) {
    const { server, getEntries } = createServer();
    const job = createJob(rows, { sourceLanguage: "de", targetLanguage, translatedInto: "en" });
    await storeLecture(server, job, () => {});
    expect(server.create).toHaveBeenCalledWith({
      id: job.id,
      title: "Talk",
      sourceLanguage: "de",
      targetLanguage,
    });
    expect(getEntries().map(({ spokenIn }) => spokenIn)).toEqual(["de", "de"]);
    expect(getEntries().map((entry) => entry.translatedInto)).toEqual([awaited, "en"]);
  }
});

it("stores a lecture in batches, with numbered speakers, in its folder", async () => {
  const rows = Array.from({ length: 1_201 }, (_, at) =>
    row({
      original: `Sentence ${at}.`,
      translated: at === 0 ? "句子。" : "",
      speaker: ["Ann", "S1", "Bob", null][at % 4] ?? null,
      startMs: at * 10,
      endMs: at * 10 + 5,
    }),
  );
  const { server, getEntries, getSpeakerNames } = createServer();
  const progress: number[] = [];
  const job = createJob(rows, { folderId: crypto.randomUUID(), translatedInto: "zh-cn" });
  const result = await storeLecture(server, job, (done) => progress.push(done));
  expect(result).toEqual({ filed: true });
  expect(progress).toEqual([500, 1_000, 1_201]);
  const entries = getEntries();
  expect(entries.map(({ ordinal }) => ordinal)).toEqual([...rows.keys()]);
  expect(entries.map((entry) => entry.original)).toEqual(rows.map((one) => one.original));
  expect(entries.slice(0, 4).map((entry) => entry.speaker)).toEqual(["2", "1", "3", null]);
  expect(getSpeakerNames()).toEqual({ 2: "Ann", 3: "Bob" });
  // What has no translation waits for one: opening the lecture asks for it.
  expect(entries[0]).toMatchObject({ translated: "句子。", translatedInto: "zh-cn" });
  expect(entries[1]).toMatchObject({ translated: "", translatedInto: "zh-cn" });
  expect(server.move).toHaveBeenCalledWith({ id: job.id, folderId: job.folderId });
  expect(server.complete).toHaveBeenCalledOnce();
});

it("marks a lecture with the demo's text from the call that creates it on", async () => {
  const { server } = createServer();
  await storeLecture(server, createJob([row({})]), () => {});
  expect(server.create.mock.lastCall?.[0]).not.toHaveProperty("hasDemoText");
  await storeLecture(server, createJob([row({})], { hasDemoText: true }), () => {});
  expect(server.create.mock.lastCall?.[0]).toMatchObject({ hasDemoText: true });
});

it("continues after a failure with the same lecture", async () => {
  const rows = Array.from({ length: 1_100 }, (_, at) =>
    row({ original: `S ${at}.`, startMs: at, endMs: at }),
  );
  const job = createJob(rows);
  const { server, getEntries } = createServer();
  const save = server.saveRows.getMockImplementation();
  server.saveRows.mockImplementationOnce(async (input) => save?.(input));
  server.saveRows.mockImplementationOnce(async (input) => {
    await save?.(input);
    throw new ApiError("unavailable", true);
  });
  const failing = storeLecture(server, job, () => {});
  await expect(failing).rejects.toMatchObject({ code: "unavailable" });
  expect(server.complete).not.toHaveBeenCalled();
  await storeLecture(server, job, () => {});
  expect(server.create.mock.calls.map(([{ id }]) => id)).toEqual([job.id, job.id]);
  expect(getEntries().map((entry) => entry.original)).toEqual(rows.map((one) => one.original));
  expect(server.complete).toHaveBeenCalledOnce();
});

it("keeps the lecture if its folder was deleted", async () => {
  const { server } = createServer();
  server.move.mockRejectedValueOnce(new ApiError("conflict", false));
  const job = createJob([row({})], { folderId: crypto.randomUUID() });
  expect(await storeLecture(server, job, () => {})).toEqual({ filed: false });
  expect(server.complete).toHaveBeenCalledOnce();
});

it("stays below the request limit and loses no name", async () => {
  const rows = Array.from({ length: 60 }, (_, at) =>
    row({ original: "长".repeat(5_000), speaker: "N".repeat(at + 20) }),
  );
  const { server, getEntries, getSpeakerNames } = createServer();
  await storeLecture(server, createJob(rows), () => {});
  expect(server.saveRows).toHaveBeenCalledOnce();
  const entries = getEntries();
  const names = Object.values(getSpeakerNames());
  expect(names.every((name) => name.length <= 40)).toBe(true);
  expect(names.length).toBeLessThanOrEqual(50);
  expect(entries[30]?.speaker).toBe("N".repeat(50));
  expect(entries[59]?.speaker).toBeNull();
  expect(entries[59]?.original.startsWith(`${"N".repeat(79)}: 长`)).toBe(true);
});
