import { downloadZip } from "client-zip";
import { describe, expect, it } from "vitest";
import { BackupReader } from "#client/features/import/backup/read-backup.ts";
import { toRestoredId } from "#client/features/import/backup/restore-backup.ts";
import { backupFormat, backupVersion } from "#client/state/backup-format.ts";
import { isUuid } from "#client/state/server-api.ts";
import { packFiles } from "#tests/fixtures/foreign-zip.ts";
import { writeZip, type ZipFile } from "#tests/fixtures/zip-writer.ts";

const id = "0b5f3f0e-4c4e-4f43-9a51-1d6f0a7a0001";
const item = { id, title: "<b>Optics</b>", file: "lectures/Optics.json", bytes: 9, sound: [] };
const manifest = {
  format: backupFormat,
  version: backupVersion,
  exportedAt: "2026-11-20T08:00:00.000Z",
  folders: [],
  lectures: [item],
  summaryInstructions: "",
  missing: [],
};
const lecture = { title: "Optics", folderId: null, entries: [], marks: [], takes: [], share: null };

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const files = (change: object = {}, lectureFile: unknown = lecture) => ({
  "manifest.json": encode({ ...manifest, ...change }),
  "lectures/Optics.json": encode(lectureFile),
});
const toZip = (files: Record<string, Uint8Array>) =>
  new Blob([writeZip(Object.entries(files).map(([path, content]) => ({ path, content })))]);

async function open(zip: Blob) {
  const reader = await BackupReader.open(zip, () => {});
  const { share, parts, folderId } = await reader.readLecture(item.file);
  return { share, parts, folderId, first: reader.getPart(0) };
}

/** What `open` makes of `lecture`. */
const read = {
  share: null,
  parts: 1,
  folderId: null,
  first: {
    lecture: { title: "Optics", folderId: null },
    entries: [],
    marks: [],
    takes: [],
    from: 0,
    isFirst: true,
    isLast: true,
  },
};

async function changeByte(at: (bytes: Uint8Array) => number, value: number) {
  const zip = await downloadZip([
    { name: "lectures/Optics.json", input: JSON.stringify(lecture) },
    { name: "manifest.json", input: JSON.stringify(manifest) },
  ]).blob();
  const bytes = new Uint8Array(await zip.arrayBuffer());
  bytes[at(bytes)] = value;
  return new Blob([bytes]);
}

const findText = (bytes: Uint8Array, text: string) => {
  const wanted = new TextEncoder().encode(text);
  return bytes.findIndex((_, at) => wanted.every((byte, index) => bytes[at + index] === byte));
};

/** Bytes of JSON, most of it of one kind, that a lecture's file has. */
const fill = (unit: string, count: number) =>
  new TextEncoder().encode(`{"entries":[${`${unit},`.repeat(count)}0]}`);
const withLecture = (content: Uint8Array, change: Partial<ZipFile> = {}) =>
  new Blob([
    writeZip([
      { path: "manifest.json", content: encode(manifest) },
      { path: item.file, content, ...change },
    ]),
  ]);

describe("a backup", () => {
  it("is read as it was written, and when it was packed again with a folder around it", async () => {
    const zip = await changeByte(() => 0, 0x50);
    expect(await open(zip)).toEqual(read);
    const packed = Object.entries(files()).map(([path, content]) => [`Dualect/${path}`, content]);
    const foreign = { "__MACOSX/x": new Uint8Array(3), ...Object.fromEntries(packed) };
    expect(await open(await packFiles(foreign))).toEqual(read);
  });

  it("of version 1 has rows without ids: they get the same ones each time, and what was missing is waited for", async () => {
    const row = { original: "Hi.", spokenIn: "en", translated: "", translatedInto: null };
    const former = {
      ...lecture,
      sourceLanguage: "en",
      targetLanguage: "de",
      isTwoWay: false,
      entries: [
        { ...row, revision: 0 },
        { ...row, revision: 1, originalByHand: true },
      ],
    };
    const { first } = await open(toZip(files({ version: 1 }, former)));
    expect(first.entries).toEqual([
      {
        ...row,
        id: "00000000-0000-8000-8000-000000000000",
        seq: 0,
        ordinal: 0,
        originalByHand: false,
        translatedInto: "de",
      },
      {
        ...row,
        id: "00000000-0000-8000-8000-000000000001",
        seq: 0,
        ordinal: 1,
        originalByHand: true,
      },
    ]);
    expect(first.entries.every(({ id }) => isUuid(id))).toBe(true);
    const { first: again } = await open(toZip(files({ version: 1 }, former)));
    expect(again.entries).toEqual(first.entries);
  });

  it("has lists that are empty where they could not be read", async () => {
    const backup = await BackupReader.open(toZip(files()), () => {});
    expect([await backup.readTerms(), await backup.readQuestions()]).toEqual([[], []]);
  });

  it.each<[name: string, problem: string, zip: () => Blob | Promise<Blob>]>([
    ["an empty file", "kind", () => new Blob([])],
    ["no ZIP", "kind", () => new Blob(["PDF, or anything else"])],
    ["another ZIP", "kind", () => toZip({ "word/document.xml": new Uint8Array(3) })],
    ["another program's manifest", "kind", () => toZip(files({ format: "other" }))],
    ["a manifest that is no object", "kind", () => toZip({ "manifest.json": encode([1]) })],
    ["a later version", "version", () => toZip(files({ version: backupVersion + 1 }))],
    ["no version", "broken", () => toZip(files({ version: undefined }))],
    ["a missing end", "broken", async () => (await changeByte(() => 0, 0x50)).slice(0, -30)],
    ["half of it", "broken", async () => (await changeByte(() => 0, 0x50)).slice(0, 200)],
    [
      "a changed byte",
      "broken",
      () => changeByte((bytes) => findText(bytes, "Optics") + "Optics.json".length + 12, 0x41),
    ],
    [
      "broken JSON",
      "broken",
      () => toZip({ ...files(), "manifest.json": new TextEncoder().encode("{") }),
    ],
    ["a lecture that is missing", "broken", () => toZip({ "manifest.json": encode(manifest) })],
    ["a lecture that is none", "broken", () => toZip(files({}, { entries: 1 }))],
    ["ids that are no text", "broken", () => toZip(files({ lectures: [{ ...item, id: 5 }] }))],
    ["a size below 0", "broken", () => toZip(files({ lectures: [{ ...item, bytes: -1 }] }))],
    [
      "sound that says nonsense",
      "broken",
      () => toZip(files({ lectures: [{ ...item, sound: [{ id, file: "x", codec: "mp3" }] }] })),
    ],
    ["a date that is none", "broken", () => toZip(files({ exportedAt: "yesterday" }))],
    ["folders without names", "broken", () => toZip(files({ folders: [{ id }] }))],
    [
      "too many folders",
      "unsafe",
      () =>
        toZip(
          files({
            folders: Array.from({ length: 2_001 }, () => ({
              id,
              name: "x",
              parentFolderId: null,
              createdAt: manifest.exportedAt,
            })),
          }),
        ),
    ],
    ["a path above", "unsafe", () => toZip({ ...files(), "lectures/../../x": encode(1) })],
    ["a path from the root", "unsafe", () => toZip({ ...files(), "/etc/passwd": encode(1) })],
    ["a path of Windows", "unsafe", () => toZip({ ...files(), "C:\\x": encode(1) })],
    [
      "128 MiB of JSON in 124 KiB",
      "unsafe",
      () => withLecture(fill(" ".repeat(1_023), 128 * 1024)),
    ],
    [
      "a manifest of that size",
      "unsafe",
      () =>
        new Blob([
          writeZip([{ path: "manifest.json", content: fill(" ".repeat(1_023), 131_072) }]),
        ]),
    ],
    [
      "a file that says that it unpacks to too much",
      "unsafe",
      () => withLecture(encode({}), { declaredBytes: 2 ** 30 }),
    ],
    [
      "a file that unpacks to more than it says",
      "broken",
      () => withLecture(encode(lecture), { declaredBytes: 5 }),
    ],
    [
      "JSON of more values than a lecture has",
      "unsafe",
      () => withLecture(fill("{}", 1_600_000), { isPacked: false }),
    ],
    ["JSON that is nested deeply", "unsafe", () => withLecture(fill("[".repeat(40), 1))],
    [
      "more rows than a lecture has",
      "unsafe",
      () => toZip(files({}, { ...lecture, entries: Array(20_001).fill({}) })),
    ],
    ["names of what is missing that are none", "broken", () => toZip(files({ missing: [1] }))],
    ["no names of what is missing", "broken", () => toZip(files({ missing: undefined }))],
  ])("is refused: %s", async (_, problem, zip) => {
    await expect(open(await zip())).rejects.toMatchObject({ problem });
  });

  it("is read whole where it has as much as an account may have", async () => {
    // Numbers in place of words: equal rows would shrink as no speech does.
    const speak = (row: number) =>
      Array.from({ length: 50 }, (_, word) => (row * 7_919 + word * 104_729) % 99_991).join(" ");
    const entries = Array.from({ length: 20_000 }, (_, row) => ({
      original: speak(row),
      translated: speak(row + 1),
      startMs: row,
    }));
    const gaps = Array.from({ length: 50 }, () => ({ atMs: 1, lengthMs: null, reason: "muted" }));
    const takes = Array(500).fill({ id, startedAt: 1, codec: "opus", gaps });
    const lectures = Array.from({ length: 20_000 }, (_, at) => ({ ...item, title: `${at}` }));
    const content = JSON.stringify({ ...lecture, entries, takes });
    const zip = await downloadZip([
      { name: item.file, input: content },
      { name: "manifest.json", input: JSON.stringify({ ...manifest, lectures }) },
    ]).blob();
    expect((await open(zip)).parts).toBeGreaterThan(12);
    // Packed again by another program.
    expect((await open(withLecture(new TextEncoder().encode(content)))).parts).toBeGreaterThan(12);
  });

  it("gives its questions page by page", async () => {
    const questions = Array.from({ length: 45 }, (_, at) => ({ id: `${at}`, text: "a [b], {c}" }));
    const zip = toZip({ ...files(), "questions.json": encode(questions) });
    const reader = await BackupReader.open(zip, () => {});
    const pages: unknown[][] = [];
    do pages.push(await reader.readQuestions());
    while (pages.at(-1)?.length !== 0);
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 5, 0]);
    expect(pages.flat()).toEqual(questions);
  });

  it("gets the same ids each time in one account, and others in each", async () => {
    const own = await toRestoredId("a", id);
    expect(isUuid(own)).toBe(true);
    expect(await toRestoredId("a", id.toUpperCase())).toBe(own);
    expect(own).not.toBe(id);
    expect(await toRestoredId("b", id)).not.toBe(own);
    expect(isUuid(await toRestoredId("a", "../<script>"))).toBe(true);
  });
});
