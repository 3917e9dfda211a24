import { describe, expect, it } from "vitest";
import { selectRows, UnsavedRows } from "#client/lecture/saving/unsaved-rows.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { entryTextMaxLength, rowsPerCallMax } from "#shared/limits.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";

const stored = (id: string, seq: number, change: Partial<TranscriptEntry> = {}) =>
  createEntry(`Text of ${id}.`, 0, { id, seq, ...change });

/** A page with the rows `entries`, which are saved. */
function setUp(...entries: TranscriptEntry[]) {
  const rows = new Map<string, TranscriptEntry>(entries.map((entry) => [entry.id, entry]));
  const unsaved = new UnsavedRows((id) => rows.get(id), entries);
  const change = (id: string, change: Partial<TranscriptEntry>) => {
    const row = rows.get(id) ?? createEntry("", 0, { id });
    rows.set(id, { ...row, ...change });
    unsaved.add(id);
  };
  const send = () => unsaved.takeNext().map(({ original }) => original);
  return { unsaved, change, send };
}

const nothing = { seq: 9, changed: [], deletedIds: [], ordinals: {} };

describe("a call", () => {
  it("has the version of each row that the server has, and 0 for a new one", () => {
    const { unsaved, change } = setUp(stored("a", 4));
    change("a", { original: "Changed." });
    change("b", { original: "New." });
    const sent = unsaved.takeNext();
    expect(sent.map(({ id, seq }) => [id, seq])).toEqual([
      ["a", 4],
      ["b", 0],
    ]);
    unsaved.confirm(sent, nothing);
    expect(unsaved.hasChanges).toBe(false);
    change("b", { original: "Again." });
    expect(unsaved.takeNext()).toMatchObject([{ id: "b", seq: 9 }]);
  });

  it("leaves a row unsaved that changed meanwhile", () => {
    const { unsaved, change, send } = setUp(stored("a", 4));
    change("a", { original: "One." });
    const sent = unsaved.takeNext();
    change("a", { original: "Two." });
    unsaved.confirm(sent, nothing);
    expect(send()).toEqual(["Two."]);
  });

  it("takes over the ordinal of a new row where another row had the page's", () => {
    const { unsaved, change } = setUp();
    change("a", { original: "New.", ordinal: 3 });
    const update = unsaved.confirm(unsaved.takeNext(), { ...nothing, ordinals: { a: 5 } });
    expect(update.entries).toMatchObject([{ id: "a", original: "New.", ordinal: 5 }]);
    expect(unsaved.getStored("a")).toMatchObject({ seq: 9, ordinal: 5 });
    expect(unsaved.hasChanges).toBe(false);
  });

  it("shows what others have changed or deleted, and keeps a person's words to be saved", () => {
    const { unsaved, change } = setUp(stored("a", 4), stored("b", 4), stored("c", 4));
    for (const id of ["a", "b"]) change(id, { original: "Mine.", originalByHand: true });
    change("c", { speaker: "1" });
    const hers = stored("a", 8, { speaker: "2" });
    const update = unsaved.confirm(unsaved.takeNext(), {
      seq: 8,
      changed: [hers],
      deletedIds: ["b", "c"],
      ordinals: {},
    });
    expect(update).toEqual({
      entries: [{ ...hers, original: "Mine.", originalByHand: true }],
      deletedIds: ["c"],
    });
    // What the server has no longer is a new row, which is not kept waiting; with this version it comes back.
    const next = [unsaved.takeNext(), unsaved.takeNext()];
    expect(next).toMatchObject([[{ id: "b", seq: 8 }], [{ id: "a", seq: 8 }, { id: "b" }]]);
  });

  it("is known again in what the server has, if its answer was lost", () => {
    const { unsaved, change } = setUp(stored("a", 4));
    change("a", { original: "One.", originalByHand: true });
    const [sent] = unsaved.takeNext();
    change("a", { original: "Text of a.", originalByHand: false });
    const own = { ...stored("a", 5), ...sent, seq: 5 };
    const { entries } = unsaved.merge({ seq: 5, entries: [own], deletedIds: [] });
    expect(entries).toMatchObject([{ original: "Text of a.", seq: 5 }]);
    expect(unsaved.hasChanges).toBe(true);
  });
});

describe("what another person has written, where a person's text here is kept", () => {
  const mine = { original: "Mine.", originalByHand: true };
  const hers = (seq: number, original = "Hers.") =>
    stored("a", seq, { original, originalByHand: true });

  it("comes with the row, whether the server answers with it or tells of it", () => {
    const { unsaved, change } = setUp(stored("a", 4));
    change("a", mine);
    const answer = { seq: 5, changed: [hers(5)], deletedIds: [], ordinals: {} };
    const { entries } = unsaved.confirm(unsaved.takeNext(), answer);
    expect(entries).toEqual([{ ...hers(5), ...mine, other: { original: "Hers." } }]);
    const news = { seq: 6, entries: [hers(6, "Hers, again.")], deletedIds: [] };
    expect(unsaved.merge(news).entries).toMatchObject([
      { original: "Mine.", other: { original: "Hers, again." } },
    ]);
  });

  it("is not saved", () => {
    const { unsaved, change } = setUp(stored("a", 4));
    change("a", mine);
    unsaved.merge({ seq: 5, entries: [hers(5)], deletedIds: [] });
    expect(unsaved.takeNext()).toEqual([{ ...stored("a", 5), ...mine }]);
  });

  it("is nothing where the page has sent that itself, or has nothing to save", () => {
    const { unsaved, change } = setUp(stored("a", 4));
    change("a", mine);
    const sent = unsaved.takeNext();
    change("a", { original: "Mine, again." });
    const own = sent.map((entry) => ({ ...entry, seq: 5 }));
    const update = unsaved.merge({ seq: 5, entries: own, deletedIds: [] });
    expect(update.entries.map(({ original, other }) => [original, other])).toEqual([
      ["Mine, again.", undefined],
    ]);
    unsaved.confirm(unsaved.takeNext(), nothing);
    expect(unsaved.merge({ seq: 10, entries: [hers(10)], deletedIds: [] }).entries).toEqual([
      hers(10),
    ]);
  });
});

describe("a copy of the lecture that was read before the page saved", () => {
  it("takes nothing back", () => {
    const { unsaved, change } = setUp(stored("a", 4));
    change("a", { original: "Changed." });
    change("b", { original: "New." });
    unsaved.confirm(unsaved.takeNext(), nothing);
    const copy = { entries: [stored("a", 4)], seq: 4 };
    const deletedIds = unsaved.listDeleted(copy);
    expect(deletedIds).toEqual([]);
    expect(unsaved.merge({ ...copy, deletedIds })).toEqual({
      entries: [],
      deletedIds: [],
    });
    expect(unsaved.getStored("a")).toMatchObject({ original: "Changed.", seq: 9 });
  });

  it("tells of rows that it lacks although it is newer than they are", () => {
    const { unsaved } = setUp(stored("a", 4), stored("b", 5));
    expect(unsaved.listDeleted({ entries: [stored("a", 4)], seq: 6 })).toEqual(["b"]);
  });

  it("may be as old and have another ordinal, which the server has given", () => {
    const { unsaved } = setUp(stored("a", 4));
    const numbered = stored("a", 4, { ordinal: 7 });
    expect(unsaved.merge({ seq: 4, entries: [numbered], deletedIds: [] }).entries).toEqual([
      numbered,
    ]);
  });
});

describe("the start of what the server has never had", () => {
  it("is that of the first new row until it is saved, wherever it stands among the changes", () => {
    const { unsaved, change } = setUp(stored("a", 4));
    expect(unsaved.newStartMs).toBe(Infinity);
    change("a", { original: "Changed." });
    expect(unsaved.newStartMs).toBe(Infinity);
    change("c", { startMs: 5_000 });
    change("b", { startMs: 2_000 });
    expect(unsaved.newStartMs).toBe(2_000);
    const sent = unsaved.takeNext();
    unsaved.confirm(
      sent.filter(({ id }) => id === "b"),
      nothing,
    );
    expect(unsaved.newStartMs).toBe(5_000);
    unsaved.refuse(sent);
    expect(unsaved.newStartMs).toBe(5_000);
  });
});

describe("new rows that do not fit", () => {
  it("keep later new ones back until all are tried again, but not changes of others", () => {
    const { unsaved, change, send } = setUp(stored("a", 4));
    change("b", { original: "B" });
    unsaved.refuse(unsaved.takeNext());
    change("c", { original: "C" });
    change("a", { original: "A" });
    expect(send()).toEqual(["A"]);
    unsaved.retryRefused();
    expect(send()).toEqual(["B", "C"]);
    expect(send()).toEqual(["A", "B", "C"]);
  });
});

describe("the rows of one call", () => {
  it("are as many as it may have, in order", () => {
    const rows = Array.from({ length: rowsPerCallMax + 1 }, (_, at) => createEntry(`${at}`));
    expect(selectRows(rows.slice(0, 3))).toEqual(rows.slice(0, 3));
    expect(selectRows(rows)).toEqual(rows.slice(0, rowsPerCallMax));
    expect(selectRows([])).toEqual([]);
  });

  it("end, where they are long, before they are more than the server takes, and the next call goes on", () => {
    const serverMaxBytes = 4 * 1024 * 1024;
    const rows = Array.from({ length: 60 }, () =>
      createEntry("\u0001".repeat(entryTextMaxLength), 0, {
        translated: "课".repeat(entryTextMaxLength),
      }),
    );
    let next = 0;
    while (next < rows.length) {
      const selected = selectRows(rows.slice(next));
      expect(selected.length).toBeGreaterThan(1);
      expect(Buffer.byteLength(JSON.stringify(selected))).toBeLessThan(serverMaxBytes - 1_000);
      next += selected.length;
    }
    expect(next).toBe(rows.length);
  });

  it("are a single one that is longer than a call may be", () => {
    const huge = createEntry("a".repeat(5_000_000));
    expect(selectRows([huge, huge])).toEqual([huge]);
  });
});
