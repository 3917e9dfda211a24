import { downloadZip } from "client-zip";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { openBackup } from "#client/features/import/backup/open-backup.ts";
import { toRestoredId } from "#client/features/import/backup/restore-backup.ts";
import { backupFormat, backupVersion } from "#client/state/backup-format.ts";
import { isUuid } from "#client/state/server-api.ts";

const id = "0b5f3f0e-4c4e-4f43-9a51-1d6f0a7a0001";
const item = { id, title: "<b>Optics</b>", file: "lectures/Optics.json", bytes: 9, sound: [] };
const manifest = {
  ...{ format: backupFormat, version: backupVersion, exportedAt: "2026-11-20T08:00:00.000Z" },
  ...{ folders: [], lectures: [item], summaryInstructions: "", missing: [] },
};
const lecture = { title: "Optics", folderId: null, entries: [], marks: [], takes: [], share: null };

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const files = (change: object = {}, lectureFile: unknown = lecture) => ({
  "manifest.json": encode({ ...manifest, ...change }),
  "lectures/Optics.json": encode(lectureFile),
});
const toZip = (content: Record<string, Uint8Array>) => new Blob([zipSync(content) as BlobPart]);

async function open(zip: Blob) {
  const backup = await openBackup(zip);
  return backup.readLecture(item);
}

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

/** A ZIP whose directory says `declared` of a file that has `bytes`. */
function declare(bytes: number, declared: number): Blob {
  const zip = zipSync({ ...files(), "lectures/Optics.json": new Uint8Array(bytes) });
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  for (let at = 0; at + 46 < zip.byteLength; at += 1)
    if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) === bytes)
      view.setUint32(at + 24, declared, true);
  return new Blob([zip as BlobPart]);
}

describe("a backup", () => {
  it("is read as it was written, and when it was packed again with a folder around it", async () => {
    const zip = await changeByte(() => 0, 0x50);
    expect(await open(zip)).toEqual(lecture);
    const packed = Object.entries(files()).map(([path, content]) => [`Dualect/${path}`, content]);
    const foreign = { "__MACOSX/x": new Uint8Array(3), ...Object.fromEntries(packed) };
    expect(await open(toZip(foreign))).toEqual(lecture);
  });

  it("has lists that are empty where they could not be read", async () => {
    const backup = await openBackup(toZip(files()));
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
              ...{ id, name: "x", parentFolderId: null, createdAt: manifest.exportedAt },
            })),
          }),
        ),
    ],
    ["a path above", "unsafe", () => toZip({ ...files(), "lectures/../../x": encode(1) })],
    ["a path from the root", "unsafe", () => toZip({ ...files(), "/etc/passwd": encode(1) })],
    ["a path of Windows", "unsafe", () => toZip({ ...files(), "C:\\x": encode(1) })],
    ["a file that unpacks to too much", "unsafe", () => declare(9_999, 300 * 1024 * 1024)],
    ["a file that unpacks to more than it says", "broken", () => declare(9_999, 5)],
  ])("is refused: %s", async (_, problem, zip) => {
    await expect(open(await zip())).rejects.toMatchObject({ problem });
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
