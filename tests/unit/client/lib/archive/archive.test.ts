import { downloadZip } from "client-zip";
import { describe, expect, it } from "vitest";
import { Archive } from "#client/lib/archive/archive.ts";
import { packFiles } from "#tests/fixtures/foreign-zip.ts";
import { writeZip, type ZipFile } from "#tests/fixtures/zip-writer.ts";

const mebibyte = 1024 * 1024;
const bounds = { entries: 100, bytes: 64 * mebibyte };
const encoder = new TextEncoder();
const toBlob = (files: readonly ZipFile[], zip64 = false) => new Blob([writeZip(files, { zip64 })]);

async function read(archive: Archive, path: string, maxBytes = bounds.bytes): Promise<Uint8Array> {
  const blocks: BlobPart[] = [];
  for await (const block of archive.read(path, maxBytes)) blocks.push(block);
  return new Uint8Array(await new Blob(blocks).arrayBuffer());
}

async function readText(zip: Blob, path: string): Promise<string> {
  return new TextDecoder().decode(await read(await Archive.open(zip, bounds), path));
}

/** Bytes that come of each packed one are far more than honest files have. */
const zeros = (bytes: number) => new Uint8Array(bytes);

describe("an archive", () => {
  it("is read as it was written: packed, stored, with 64 bits, and by the library of our export", async () => {
    const files = [
      { path: "a/", content: "", isPacked: false },
      { path: "a/packed.txt", content: "Light bends. ".repeat(9_000) },
      { path: "存.txt", content: "光", isPacked: false },
    ];
    for (const zip of [toBlob(files), toBlob(files, true)]) {
      const archive = await Archive.open(zip, bounds);
      expect(archive.paths).toEqual(["a/packed.txt", "存.txt"]);
      expect(await readText(zip, "a/packed.txt")).toBe("Light bends. ".repeat(9_000));
      expect(await readText(zip, "存.txt")).toBe("光");
    }
    const streamed = await downloadZip([{ name: "b.txt", input: "streamed" }]).blob();
    expect(await readText(streamed, "b.txt")).toBe("streamed");
  });

  it.each([false, true])("is read as another program packs it, with 64 bits: %s", async (zip64) => {
    const text = "Light bends. ".repeat(9_000);
    const files = { "a.txt": encoder.encode(text), "存.txt": encoder.encode("光") };
    const zip = await packFiles(files, { zip64 });
    expect(zip.size).toBeLessThan(9_000);
    expect(await readText(zip, "a.txt")).toBe(text);
    expect(await readText(zip, "存.txt")).toBe("光");
    const locked = await packFiles(files, { zip64, password: "prism" });
    await expect(readText(locked, "a.txt")).rejects.toMatchObject({ problem: "encrypted" });
  });

  it("gives a file once", async () => {
    const archive = await Archive.open(toBlob([{ path: "a", content: "x" }]), bounds);
    await read(archive, "a");
    expect(archive.has("a")).toBe(false);
    await expect(read(archive, "a")).rejects.toMatchObject({ problem: "broken" });
  });
});

describe("a hostile archive", () => {
  it.each<[name: string, problem: string, zip: () => Uint8Array<ArrayBuffer>]>([
    ["no bytes", "kind", () => new Uint8Array()],
    ["another file", "kind", () => encoder.encode("<html>")],
    ["one without its end", "broken", () => writeZip([{ path: "a", content: "x" }]).slice(0, -9)],
    [
      "more files than the bound",
      "unsafe",
      () => writeZip(Array.from({ length: 101 }, (_, at) => ({ path: `${at}`, content: "" }))),
    ],
    [
      "70,000 files, said with 64 bits",
      "unsafe",
      () =>
        writeZip(
          Array.from({ length: 70_000 }, (_, at) => ({
            path: `${at}`,
            content: "",
            isPacked: false,
          })),
          { zip64: true },
        ),
    ],
    [
      "files that share their bytes",
      "unsafe",
      () =>
        writeZip([
          { path: "a", content: zeros(9_999) },
          { path: "b", content: zeros(9_999), sharesBytes: true },
        ]),
    ],
    [
      "two files of one name",
      "unsafe",
      () =>
        writeZip([
          { path: "a", content: "x" },
          { path: "a", content: "y" },
        ]),
    ],
    ["a path above its folder", "unsafe", () => writeZip([{ path: "a/../../b", content: "x" }])],
    ["a path from a root", "unsafe", () => writeZip([{ path: "/etc/passwd", content: "x" }])],
  ])("is not opened: %s", async (_, problem, zip) => {
    await expect(Archive.open(new Blob([zip()]), bounds)).rejects.toMatchObject({ problem });
  });

  it.each<[name: string, problem: string, file: Omit<ZipFile, "path">]>([
    ["128 MiB of 124 KiB", "unsafe", { content: zeros(128 * mebibyte) }],
    ["32 MiB of 32 KiB", "unsafe", { content: zeros(32 * mebibyte) }],
    ["the same, said to be short", "broken", { content: zeros(32 * mebibyte), declaredBytes: 9 }],
    ["a file that says too much of itself", "unsafe", { content: "x", declaredBytes: 2 ** 31 }],
    ["a file that is shorter than it says", "broken", { content: "x", declaredBytes: 9 }],
    ["a file with a password", "encrypted", { content: "x", isEncrypted: true }],
  ])("is unpacked no further than its bounds: %s", async (_, problem, file) => {
    const zip = toBlob([{ path: "a", ...file }]);
    const archive = await Archive.open(zip, bounds);
    await expect(read(archive, "a")).rejects.toMatchObject({ problem });
    // One block beyond what is free, and a hundred for each of its own.
    expect(archive.unpackedBytes).toBeLessThan(2 * mebibyte + 100 * zip.size + 4 * mebibyte);
    expect(archive.unpackedBytes).toBeLessThan(12 * mebibyte);
  });

  it("is counted over all its files", async () => {
    const random = () => crypto.getRandomValues(new Uint8Array(65_536));
    const files = Array.from({ length: 3 }, (_, at) => ({ path: `${at}`, content: random() }));
    const archive = await Archive.open(toBlob(files), { entries: 9, bytes: 150_000 });
    await read(archive, "0");
    await read(archive, "1");
    await expect(read(archive, "2")).rejects.toMatchObject({ problem: "unsafe" });
  });

  it("is refused where a byte was changed", async () => {
    const zip = writeZip([{ path: "a", content: "Light bends", isPacked: false }]);
    zip[33] = 0x41;
    await expect(readText(new Blob([zip]), "a")).rejects.toMatchObject({ problem: "broken" });
  });

  it("keeps an archive in it packed", async () => {
    const inner = writeZip([{ path: "deep", content: zeros(64 * mebibyte) }]);
    const archive = await Archive.open(toBlob([{ path: "inner.zip", content: inner }]), bounds);
    expect((await read(archive, "inner.zip")).byteLength).toBe(inner.byteLength);
  });
});
