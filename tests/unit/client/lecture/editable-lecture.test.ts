import { describe, expect, it } from "vitest";
import { EditableLecture } from "#client/lecture/editable-lecture.ts";
import { createStateFromLecture } from "#client/lecture/initial-state.ts";
import type { LectureNotice } from "#client/lecture/lecture-notices.ts";
import { toLecture } from "#client/lecture/transfer.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { connectTextWithTakes } from "#client/recorder/lecture-recording.ts";
import { withTimeouts } from "#client/state/server-api.ts";
import { NoTranslatorError } from "#client/translation/translator-list.ts";
import type { ActionItem } from "#shared/action-item.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import type { LectureAccess } from "#shared/people.ts";
import { World } from "#tests/unit/client/recorder/kit/harness.ts";

const entry = (at: number, change: Partial<TranscriptEntry> = {}): TranscriptEntry => ({
  id: `row-${at}`,
  seq: 1,
  ordinal: at,
  originalByHand: false,
  original: `Sentence ${at}.`,
  translated: `第${at}句。`,
  translatedInto: "zh-cn",
  spokenIn: "en",
  translatedByHand: false,
  speaker: null,
  startMs: at * 1_000,
  endMs: at * 1_000 + 900,
  ...change,
});

/** A stored lecture that is opened to be read. */
async function open(
  stored: { entries?: TranscriptEntry[]; originalText?: string; access?: LectureAccess } = {},
) {
  const world = new World();
  const { server, clock } = world;
  await server.createLecture({ id: "one", title: "One", targetLanguage: "zh-cn" });
  const record = server.lectures.get("one");
  if (!record) throw new Error("not created");
  Object.assign(record, { entries: [entry(0), entry(1)], seq: 1, ...stored });
  const notices: LectureNotice[] = [];
  const lecture = new EditableLecture(
    {
      api: withTimeouts(server, clock),
      ports: { clock, log: { warn() {} }, random: () => 0.5, newId: () => crypto.randomUUID() },
      identity: "user",
      notify: (notice) => notices.push(notice),
      onChange() {},
    },
    createStateFromLecture(await server.getLecture("one")),
  );
  const original = () => lecture.writer.transcript.rows().map((row) => row.original);
  return { server, clock, record, lecture, notices, original };
}

describe("a lecture that is read", () => {
  it("saves a correction by itself, with its new translation", async () => {
    const { clock, record, lecture } = await open();
    lecture.correctRow(1, { original: "Sentence one." });
    expect(lecture.hasUnsavedChanges).toBe(true);
    await clock.advance(5_000);
    expect(record.entries[1]).toMatchObject({
      original: "Sentence one.",
      translated: "«Sentence one.»",
    });
    expect(lecture.view.get().saveState).toBe("saved");
    expect(lecture.hasUnsavedChanges).toBe(false);
  });

  it("calls nothing when nothing is changed", async () => {
    const { server, clock, lecture } = await open();
    const calls: string[] = [];
    server.before = (call) => void calls.push(call);
    lecture.wake();
    await lecture.saveNow();
    await clock.advance(60_000);
    expect(calls).toEqual([]);
  });

  it("requests translations that a closed page has left out", async () => {
    const { clock, record } = await open({
      entries: [entry(0, { translated: "", translatedInto: "zh-cn" })],
    });
    await clock.advance(5_000);
    expect(record.entries[0]?.translated).toBe("«Sentence 0.»");
  });

  it("has translations on their way only while something can translate", async () => {
    const { server, clock, lecture } = await open();
    server.translation = () => Promise.reject(new NoTranslatorError());
    lecture.correctRow(0, { original: "One." });
    expect(lecture.hasPendingTranslations).toBe(true);
    await clock.until(() => !lecture.hasPendingTranslations);
    expect(lecture.writer.transcript.row(0)).toMatchObject({ translation: "waiting" });
    server.translation = async () => "第一句。";
    lecture.wake();
    expect(lecture.hasPendingTranslations).toBe(true);
    await clock.until(() => !lecture.hasPendingTranslations);
    expect(lecture.writer.transcript.row(0)).toMatchObject({ translated: "第一句。" });
  });

  it("saves all rows of a plain text when one is corrected", async () => {
    const { clock, record, lecture } = await open({
      entries: [],
      originalText: "First. Second. Third.",
    });
    lecture.correctRow(0, { translated: "第一。" });
    await clock.advance(5_000);
    expect(record.entries.map(({ original }) => original)).toEqual(["First.", "Second.", "Third."]);
  });

  it("keeps what is stored as not translated", async () => {
    const { clock, record, lecture } = await open({
      entries: [entry(0, { translated: "", translatedInto: null })],
    });
    await clock.advance(5_000);
    expect(lecture.writer.transcript.row(0)?.translation).toBe("none");
    expect(record.entries[0]?.seq).toBe(1);
  });

  it("is saved with the language of a translation that it waits for", async () => {
    const { server, clock, record, lecture } = await open();
    server.translation = () => new Promise(() => {});
    lecture.correctRow(1, { original: "Sentence one." });
    await clock.advance(5_000);
    expect(record.entries[1]).toMatchObject({ translated: "", translatedInto: "zh-cn" });
    expect(lecture.writer.transcript.row(1)?.translated).toBe("第1句。");
  });

  it("summarises, saves the summary, and says so", async () => {
    const { clock, record, lecture, notices } = await open();
    const generating = lecture.generateSummary();
    expect(lecture.hasUnsavedChanges).toBe(true);
    await generating;
    await clock.advance(3_000);
    expect(record.summary).toContain("## Summary");
    expect(notices).toEqual([{ kind: "summaryGenerated" }]);
  });

  it("reports that it was deleted elsewhere or that the account is full", async () => {
    for (const [code, notice] of [
      ["not_found", { kind: "lectureDeletedElsewhere", id: "one" }],
      ["account_full", { kind: "capacityReached", code: "account_full" }],
    ] as const) {
      const { server, clock, lecture, notices } = await open();
      server.before = () => {
        throw new ApiError(code, false);
      };
      lecture.setContext("Mine.");
      await clock.advance(5_000);
      expect(notices).toEqual([notice]);
    }
  });
});

const task: ActionItem = {
  ...{ id: crypto.randomUUID(), task: "Send the slides", who: "Ada", due: "by Friday" },
  ...{ dueOn: "2026-05-08", rows: [], isDone: false, byHand: false },
};

it("saves action items", async () => {
  const { record, clock, lecture } = await open();
  lecture.setActionItems([{ ...task, isDone: true }]);
  await clock.advance(5_000);
  expect(record.actionItems).toEqual([{ ...task, isDone: true }]);
});

describe("what another tab has saved", () => {
  it("is taken over", async () => {
    const { server, record, lecture, original } = await open();
    record.entries.push(entry(2, { seq: 2 }));
    record.entries[0] = entry(0, { original: "Corrected there.", seq: 3 });
    record.seq = 3;
    Object.assign(record, {
      context: "Their context.",
      summary: "Theirs.",
      speakerNames: { "1": "Ada" },
      actionItems: [task],
      targetLanguage: "de",
      hasDemoText: true,
    });
    lecture.updateFrom(await server.getLecture("one"));
    expect(original()).toEqual(["Corrected there.", "Sentence 1.", "Sentence 2."]);
    expect(lecture.summary.get().text).toBe("Theirs.");
    expect(lecture.details.context.text).toBe("Their context.");
    expect(lecture.actionItems.get()).toEqual([task]);
    expect(lecture.view.get()).toMatchObject({
      speakerNames: { "1": "Ada" },
      targetLanguage: "de",
      hasDemoText: true,
      saveState: "saved",
    });
  });

  it("does not replace what this page has changed and not saved", async () => {
    const { server, record, lecture, original } = await open();
    lecture.setContext("Mine.");
    lecture.correctRow(0, { original: "Corrected here." });
    record.context = "Theirs.";
    lecture.updateFrom(await server.getLecture("one"));
    expect(lecture.details.context.text).toBe("Mine.");
    expect(original()[0]).toBe("Corrected here.");
  });

  it("is merged with rows that are not saved, and each row is saved in its place", async () => {
    const { server, clock, record, lecture, original } = await open();
    lecture.correctRow(1, { original: "Corrected here." });
    // Sound of another device was recorded earlier, and it has heard the first row again.
    record.entries = [
      entry(0, { id: "again", ordinal: 2, original: "Heard again.", seq: 3 }),
      entry(0, { id: "between", ordinal: 3, original: "Between.", startMs: 500, seq: 2 }),
      entry(1, { speaker: "2", seq: 2 }),
    ];
    record.seq = 3;
    lecture.updateFrom(await server.getLecture("one"));
    expect(original()).toEqual(["Heard again.", "Between.", "Corrected here."]);
    expect(lecture.view.get().saveState).toBe("unsaved");
    await clock.advance(5_000);
    expect(record.entries.map((row) => row.original)).toEqual(original());
    expect(record.entries[2]).toMatchObject({ speaker: "2", translated: "«Corrected here.»" });
    expect(lecture.listStoredRows()).toEqual(record.entries);
  });

  it("ends what this page was translating, if it has the translation", async () => {
    const { server, clock, record, lecture } = await open();
    const answer = Promise.withResolvers<string>();
    server.translation = () => answer.promise;
    lecture.correctRow(0, { original: "Zero." });
    await clock.advance(5_000);
    expect(record.entries[0]?.translated).toBe("");
    Object.assign(record.entries[0] ?? {}, { translated: "他们的。", seq: 9 });
    record.seq = 9;
    lecture.updateFrom(await server.getLecture("one"));
    answer.resolve("Mine.");
    await clock.advance(5_000);
    expect(lecture.writer.transcript.row(0)).toMatchObject({ translated: "他们的。" });
    expect(record.entries[0]?.translated).toBe("他们的。");
  });

  it("may be older than what this page has saved", async () => {
    const { server, clock, lecture, original } = await open();
    const before = await server.getLecture("one");
    lecture.correctRow(0, { original: "Corrected here." });
    await clock.advance(5_000);
    lecture.updateFrom(before);
    expect(original()).toEqual(["Corrected here.", "Sentence 1."]);
  });

  it("is taken over while a summary is generated, which stays", async () => {
    const { server, clock, record, lecture, original } = await open();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.summary = async function* () {
      yield "Generated.";
      await promise;
    };
    const generated = lecture.generateSummary();
    await clock.until(() => lecture.summary.get().text === "Generated.");
    record.entries = [entry(2, { original: "Recognized again.", seq: 2 })];
    record.seq = 2;
    lecture.updateFrom(await server.getLecture("one"));
    expect(original()).toEqual(["Recognized again."]);
    resolve();
    await generated;
    expect(lecture.summary.get().text).toBe("Generated.");
  });

  it("leaves what the person writes as a summary, who sees theirs after Cancel", async () => {
    const { server, record, lecture } = await open();
    lecture.editSummary("Mine.");
    record.summary = "Theirs.";
    lecture.updateFrom(await server.getLecture("one"));
    expect(lecture.summary.get()).toMatchObject({ text: "Theirs.", draft: "Mine." });
    lecture.editSummary(null);
    expect(lecture.summary.get()).toMatchObject({ text: "Theirs.", draft: null });
  });
});

describe("what another person has written of the same row", () => {
  /** The row is changed here, and not saved. */
  async function openCorrected() {
    const page = await open();
    const { server, record, lecture } = page;
    lecture.correctRow(0, { original: "Mine.", translated: "我的。" });
    /** Another person changes it there. */
    const changeThere = async (seq: number, change: Partial<TranscriptEntry>) => {
      record.entries[0] = { ...entry(0), ...record.entries[0], seq, ...change };
      record.seq = seq;
      lecture.updateFrom(await server.getLecture("one"));
    };
    const row = () => lecture.writer.transcript.row(0);
    await changeThere(2, {
      original: "Hers.",
      originalByHand: true,
      translated: "她的。",
      translatedByHand: true,
    });
    expect(row()).toMatchObject({
      original: "Mine.",
      translated: "我的。",
      other: { original: "Hers.", translated: "她的。" },
    });
    return { ...page, changeThere, row };
  }

  it("is offered if it came while the person was writing", async () => {
    const { server, record, lecture } = await open();
    const row = () => lecture.writer.transcript.row(0);
    const seen = row();
    const changed = { original: "Hers.", originalByHand: true };
    record.entries[0] = { ...entry(0), ...record.entries[0], seq: 2, ...changed };
    record.seq = 2;
    lecture.updateFrom(await server.getLecture("one"));
    expect(row()).toMatchObject(changed);
    lecture.correctRow(0, { original: "Mine." }, seen);
    expect(row()).toMatchObject({ original: "Mine.", other: { original: "Hers." } });
    // Hers was seen by now.
    lecture.correctRow(0, { original: "Mine, again." }, row());
    expect(row()?.other).toEqual({ original: "Hers." });
  });

  it("does not offer what a person has seen and replaced", async () => {
    const { lecture } = await open();
    const row = () => lecture.writer.transcript.row(0);
    lecture.correctRow(0, { original: "Hers." }, row());
    lecture.correctRow(0, { original: "Mine." }, row());
    expect(row()?.other).toBeUndefined();
  });

  it("is offered until it is answered, and is not saved", async () => {
    const { clock, record, lecture, row } = await openCorrected();
    await clock.advance(5_000);
    expect(record.entries[0]).toMatchObject({ original: "Mine.", translated: "我的。" });
    expect(record.entries[0]).not.toHaveProperty("other");
    lecture.dropOther(0, "original");
    expect(row()?.other).toEqual({ translated: "她的。" });
    lecture.dropOther(0, "translated");
    expect(row()?.other).toBeUndefined();
    await clock.advance(5_000);
    expect(record.entries[0]).toMatchObject({ original: "Mine.", translated: "我的。" });
  });

  it("stays through later changes of the row, there and here", async () => {
    const { clock, lecture, changeThere, row } = await openCorrected();
    const other = { original: "Hers.", translated: "她的。" };
    await changeThere(3, { speaker: "2" });
    expect(row()).toMatchObject({ speaker: "2", other });
    await clock.advance(5_000);
    lecture.correctRow(0, { original: "Mine, again." });
    expect(row()).toMatchObject({ original: "Mine, again.", other });
    await clock.advance(5_000);
    await changeThere(20, { translated: "新的。" });
    expect(row()).toMatchObject({ translated: "新的。", other });
  });

  it("is the newest of several", async () => {
    const { changeThere, row } = await openCorrected();
    await changeThere(3, { original: "Hers, again." });
    expect(row()?.other).toEqual({ original: "Hers, again.", translated: "她的。" });
  });

  it("is offered no longer once the row is the same, here or there", async () => {
    const { clock, record, lecture, changeThere, row } = await openCorrected();
    lecture.correctRow(0, { translated: "她的。" });
    expect(row()?.other).toEqual({ original: "Hers." });
    await clock.advance(5_000);
    expect(record.entries[0]).toMatchObject({ translated: "她的。", translatedByHand: true });
    await changeThere(20, { original: "Hers." });
    expect(row()).toMatchObject({ original: "Hers." });
    expect(row()?.other).toBeUndefined();
  });
});

it("gives the lecture as the server has it, once it is saved", async () => {
  const { server, clock, lecture } = await open();
  const cached = await server.getLecture("one");
  lecture.correctRow(0, { original: "New." });
  lecture.editSummary("Mine.");
  await lecture.saveSummary();
  lecture.renameSpeaker("1", "Ada");
  await clock.advance(5_000);
  const { seq } = cached;
  expect(toLecture(lecture, cached)).toEqual({ ...(await server.getLecture("one")), seq });
});

it("gets words from its sound while another source gives them only if the person wants so", async () => {
  const { lecture } = await open();
  let replaced = 0;
  lecture.writer.openSource(() => {
    replaced += 1;
  });
  const { openSource } = connectTextWithTakes(
    lecture,
    () => false,
    () => null,
  );
  expect(openSource(false, () => {})).toBe(null);
  expect(replaced).toBe(0);
  expect(openSource(true, () => {})).not.toBe(null);
  expect(replaced).toBe(1);
});

describe("another person's lecture", () => {
  const access = { role: "corrects", owner: "olga" } as const;

  it("requests no translation that its owner's page requests, and those of the person's corrections", async () => {
    const waiting = entry(0, { translated: "" });
    const { server, clock, lecture } = await open({ entries: [waiting, entry(1)], access });
    await clock.advance(5_000);
    expect(server.translations).toEqual([]);
    lecture.correctRow(1, { original: "Corrected." });
    await clock.advance(5_000);
    expect(server.translations).toMatchObject([{ text: "Corrected." }]);
  });

  it("names who has corrected a row, until the person does", async () => {
    const rows = [entry(0, { author: "olga", originalByHand: true }), entry(1)];
    const { lecture } = await open({ entries: rows, access });
    const getAuthor = () => lecture.writer.transcript.row(0)?.author;
    expect(getAuthor()).toBe("olga");
    lecture.correctRow(0, { original: "Mine." });
    expect(getAuthor()).toBe("");
  });

  it("is only read by who may not correct", async () => {
    expect((await open({ access })).lecture.isReadOnly).toBe(false);
    const { lecture } = await open({ access: { ...access, role: "reads" } });
    expect(lecture.isReadOnly).toBe(true);
  });

  it("is not said to be in the trash when it is not shared any more", async () => {
    const { server, clock, lecture, notices } = await open({ access });
    server.lectures.delete("one");
    lecture.correctRow(0, { original: "Too late." });
    await clock.advance(5_000);
    expect(lecture.view.get().saveState).toBe("failed");
    expect(notices).toEqual([]);
  });
});
