import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LibraryReader, zipFolder } from "#client/features/export/folder-zip.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { toSafeName, UniqueNames } from "#client/lib/file-names.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { createLecture, fileLabels } from "./sample-lectures.ts";
import { unzip } from "./unzip.ts";

const folder = (id: string, name: string, parentFolderId: string | null, lectures = 0) => ({
  id,
  name,
  parentFolderId,
  createdAt: "2026-11-20T15:05:00.000Z",
  lectures,
});

const titles: Record<string, string[]> = {
  root: ["Intro", "intro", "a/b: <c>?", ""],
  week: ["CON", "长".repeat(200)],
  elsewhere: ["Not in it"],
};

const folders = [
  folder("root", "Course: 1", null, 4),
  folder("week", "Week.", "root", 2),
  folder("empty", "Week", "root"),
  folder("elsewhere", "Elsewhere", null, 1),
  // Two folders that lie in each other.
  folder("ring", "Ring", "knot"),
  folder("knot", "Knot", "ring"),
];

/** A library whose lectures are named by their titles, a page of one at a time. */
const library: LibraryReader = {
  folders: async () => ({ folders, total: 7, uncategorized: 0 }),
  async lectures(folderId, cursor) {
    const own = titles[folderId] ?? [];
    const at = Number(cursor ?? 0);
    const items = own.slice(at, at + 1).map((title) => ({ id: `${folderId} ${at}`, title }));
    return { items, nextCursor: at + 1 < own.length ? String(at + 1) : null };
  },
  glossary: async (folderId) => ({ folderIds: [folderId, null], terms: [] }),
  lecture: async (id) =>
    createLecture([{ original: `This is ${id}.`, translated: "是。", endMs: 900 }], { id }),
};

function run(
  change: Partial<LibraryReader> = {},
  signal = new AbortController().signal,
  folderId = "root",
) {
  const progress: [number, number][] = [];
  const done = zipFolder({ ...library, ...change }, folderId, {
    format: "txt",
    sides: "both",
    untitled: "Untitled",
    getLabels: () => fileLabels,
    signal,
    onProgress: (done: number, total: number) => progress.push([done, total]),
  });
  return { done, progress };
}

const readZip = async (zip: Blob) => unzip(new Uint8Array(await zip.arrayBuffer()));

describe("zipFolder", () => {
  it("has the glossary of the folder with what it inherits, and those of folders below with own terms", async () => {
    const createTerm = (folderId: string | null, term: string): GlossaryTerm => ({
      id: `${folderId} ${term}`,
      folderId,
      language: "en",
      term,
      note: "",
      translations: { "zh-cn": "词" },
      position: 0,
      isLeftOut: false,
      origin: { kind: "person", name: "" },
    });
    const own: Record<string, GlossaryTerm[]> = {
      root: [createTerm("root", "cell")],
      week: [createTerm("week", "mitosis")],
    };
    const library = [createTerm(null, "lecture")];
    const { done } = run({
      glossary: async (id) => ({
        folderIds: [...new Set([id, "root", null])],
        terms: [...new Set([...(own[id ?? ""] ?? []), ...(own.root ?? []), ...library])],
      }),
    });
    const { zip, files } = await done;
    const found = await readZip(zip);
    const glossaries = [...found].filter(([name]) => name.endsWith("glossary.csv"));
    expect(glossaries.map(([name]) => name)).toEqual([
      "Course- 1/glossary.csv",
      "Course- 1/Week/glossary.csv",
    ]);
    const lines = glossaries.map(([, bytes]) =>
      new TextDecoder().decode(bytes).trim().split(/\r?\n/),
    );
    expect(lines[0]).toEqual([
      "language,term,zh-Hans,note,origin",
      "en,cell,词,,person",
      "en,lecture,词,,person",
    ]);
    expect(lines[1]?.slice(1)).toEqual([
      "en,mitosis,词,,person",
      "en,cell,词,,person",
      "en,lecture,词,,person",
    ]);
    // Lectures alone.
    expect(files).toBe(6);
  });

  it("names a glossary that could not be read", async () => {
    const { done } = run({
      glossary: async () => {
        throw new ApiError("internal", false);
      },
    });
    expect((await done).failed).toContain("Course- 1/glossary.csv");
  });

  it("is read by another program, with folders and portable names", async () => {
    let open = 0;
    const { done, progress } = run({
      async lecture(id, signal) {
        open += 1;
        expect(open).toBe(1);
        await Promise.resolve();
        open -= 1;
        return library.lecture(id, signal);
      },
    });
    const { zip, files, failed } = await done;
    const found = await readZip(zip);
    expect([...found.keys()]).toEqual([
      "Course- 1/",
      "Course- 1/Intro.txt",
      "Course- 1/intro (2).txt",
      "Course- 1/a-b- -c--.txt",
      "Course- 1/Untitled.txt",
      "Course- 1/Week/",
      "Course- 1/Week/_CON.txt",
      `Course- 1/Week/${"长".repeat(40)}.txt`,
      "Course- 1/Week (2)/",
    ]);
    expect(found.get("Course- 1/intro (2).txt")?.toString()).toContain("This is root 1.\n是。");
    expect([files, failed]).toEqual([6, []]);
    expect(progress).toEqual([0, 1, 2, 3, 4, 5, 6].map((step) => [step, 6]));
  });

  it("leaves out and lists what cannot be fetched", async () => {
    const loadedIds: string[] = [];
    const { done } = run({
      lectures: async (id, cursor, signal) => {
        if (id === "week") throw new ApiError("internal", true);
        return library.lectures(id, cursor, signal);
      },
      lecture: async (id, signal) => {
        loadedIds.push(id);
        // What may pass is asked for once more.
        if (id === "root 0" && loadedIds.length === 1) throw new ApiError("unavailable", true);
        if (id === "root 2") throw new ApiError("not_found", false);
        return library.lecture(id, signal);
      },
    });
    const { zip, files, failed } = await done;
    expect(failed).toEqual(["Course- 1/a-b- -c--.txt", "Course- 1/Week/"]);
    expect(files).toBe(3);
    expect([...(await readZip(zip)).keys()]).not.toContain("Course- 1/a-b- -c--.txt");
    expect(loadedIds.filter((id) => id === "root 2")).toHaveLength(1);
  });

  it.each<[string, Partial<LibraryReader>, string]>([
    [
      "when the session ends",
      { lecture: () => Promise.reject(new ApiError("unauthenticated", false)) },
      "unauthenticated",
    ],
    [
      "without the folder",
      { folders: async () => ({ folders: [], total: 0, uncategorized: 0 }) },
      "not_found",
    ],
  ])("fails %s", async (_when, change, code) => {
    await expect(run(change).done).rejects.toMatchObject({ code });
  });

  it("stops when it is aborted", async () => {
    const controller = new AbortController();
    const lecture: LibraryReader["lecture"] = async (id, signal) => {
      if (id === "root 1") controller.abort(new Error("called off"));
      signal.throwIfAborted();
      return library.lecture(id, signal);
    };
    const { done, progress } = run({ lecture }, controller.signal);
    await expect(done).rejects.toThrow("called off");
    expect(progress.at(-1)).toEqual([1, 6]);
  });

  it("terminates for a cycle of folders", async () => {
    const { zip } = await run({}, undefined, "ring").done;
    expect([...(await readZip(zip)).keys()]).toEqual(["Ring/", "Ring/Knot/"]);
  });
});

describe("a file name", () => {
  it("is valid on Windows, macOS and Linux for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
        const safe = toSafeName(name, "Untitled");
        expect(safe).not.toMatch(/[<>:"/\\|?*\p{Cc}]|^\.|^\s|[. ]$/u);
        expect(safe).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(130);
        expect(safe.length).toBeGreaterThan(0);
        expect(safe.isWellFormed()).toBe(true);
      }),
    );
  });

  it("is unique in a folder, ignoring case", () => {
    const names = new UniqueNames();
    expect(["a", "A", "a (2)", "ａ"].map((name) => names.reserve(name, ".txt"))).toEqual([
      "a.txt",
      "A (2).txt",
      "a (2) (2).txt",
      "ａ (3).txt",
    ]);
  });
});
