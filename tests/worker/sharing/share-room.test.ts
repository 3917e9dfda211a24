import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { readerTranslations } from "#drizzle/schema.ts";
import { unreadMaxBytes } from "#server/unread.ts";
import { shareClosedCode, shareSilenceMs } from "#shared/share.ts";
import { sharePing, sharePong, shareUnreadCode } from "#shared/site.ts";
import { failRequests, openPrompts, untilOpen } from "#tests/worker/ai/support.ts";
import { RelayClient } from "#tests/worker/recording/relay-client.ts";
import { getRoom, services, speech, spoken } from "#tests/worker/recording/support.ts";
import { openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { waitForWindow } from "#tests/worker/support/limits.ts";
import { shareGrantHeader } from "#worker/durable/sockets.ts";
import {
  createEntry,
  getShareRoom,
  listCalls,
  openShare,
  type ReaderOptions,
  ReaderPage,
  readShareRow,
  shareLecture,
} from "./support.ts";

const light = ["Light is a wave.", "It is also a particle."];
const inFrench = light.map((text) => `fr: ${text}`);

/** A page that reads the two sentences. */
async function read(options: ReaderOptions, headers?: Record<string, string>): Promise<ReaderPage> {
  const reader = await ReaderPage.open(options, headers);
  await expect.poll(() => reader.texts).toEqual(light);
  return reader;
}

describe("a reader", () => {
  test("gets the lecture as it is, with the owner's translation", async () => {
    const { code, trpc, lectureId } = await shareLecture();
    const reader = await read({ code, language: "fr" });
    const share = await trpc.shares.get.query({ lectureId });
    expect(share).toMatchObject({ readers: 1, readersMax: 30, languagesMax: 1 });
    expect(reader.translations).toEqual(inFrench);
    expect(reader.view).toMatchObject({
      status: "waiting",
      live: null,
      summary: null,
      isTranslationPaused: false,
      language: "fr",
      isLanguageRefused: false,
      lecture: { title: "Optics", targetLanguage: "fr", mayCopy: true, mode: "until_revoked" },
    });
    expect(await listCalls(light[0])).toEqual([]);
  });

  test.each([
    ["", false],
    [", also after the object was evicted", true],
  ])("gets the place of one whose connection has died%s", async (_, isEvicted) => {
    const { code, share } = await shareLecture();
    const places = Array.from({ length: share.readersMax }, () => ReaderPage.open({ code }));
    const readers = await Promise.all(places);
    await expect.poll(() => readers.every(({ texts }) => texts.length === light.length)).toBe(true);
    const [silent, ...others] = readers;
    await runInDurableObject(getShareRoom(share.id), (_, state) => {
      for (const socket of state.getWebSockets()) {
        const { joinedAt, ...reader } = socket.deserializeAttachment();
        socket.serializeAttachment({ ...reader, joinedAt: joinedAt - shareSilenceMs - 1 });
      }
    });
    for (const { socket } of others) socket.send(sharePing);
    await expect.poll(() => others.every(({ frames }) => frames.includes(sharePong))).toBe(true);
    if (isEvicted) await evictDurableObject(getShareRoom(share.id));
    await read({ code });
    await expect.poll(() => silent?.closed).toBe(shareClosedCode);
    expect(new Set(others.map(({ closed }) => closed))).toEqual(new Set([null]));
  });

  test("gets all rows of a lecture whose rows have holes and came in another order", async () => {
    const { trpc } = await openSignedIn();
    const lectureId = crypto.randomUUID();
    await trpc.lectures.create.mutate({ id: lectureId, title: "Optics", targetLanguage: "fr" });
    const entries = [0, 1, 2].map((ordinal) => createEntry(`Row ${ordinal}.`, ordinal));
    await trpc.lectures.saveRows.mutate({ lectureId, entries, deleted: [] });
    const deleted = entries.slice(1, 2).map(({ id }) => ({ id, seq: 1 }));
    const late = createEntry("Late.", 3, { startMs: 500, endMs: 900 });
    await trpc.lectures.saveRows.mutate({ lectureId, entries: [late], deleted });
    const share = { lectureId, mode: "until_revoked", mayCopy: true } as const;
    const { code } = await trpc.shares.create.mutate(share);
    const reader = await ReaderPage.open({ code, language: "fr" });
    const listRows = () =>
      [...(reader.view?.rows.values() ?? [])].map((row) => [
        row.position,
        row.original,
        row.startMs,
      ]);
    const before = [
      [0, "Row 0.", 0],
      [2, "Row 2.", 2_000],
      [3, "Late.", 500],
    ];
    await expect.poll(listRows).toEqual(before);
    const added = createEntry("Row 5.", 5);
    await trpc.lectures.saveRows.mutate({ lectureId, entries: [added], deleted: [] });
    await expect.poll(listRows).toEqual([...before, [5, "Row 5.", 5_000]]);
    expect(reader.view?.translations.get(5)?.text).toBe("fr: Row 5.");
    // A reader has it in front of them: no row goes away.
    const gone = [{ id: added.id, seq: 99 }];
    expect(
      await getErrorCode(trpc.lectures.saveRows.mutate({ lectureId, entries: [], deleted: gone })),
    ).toBe("conflict");
    expect(listRows()).toHaveLength(4);
  });

  test("gets what the owner changes: rows, corrections, names, title, summary", async () => {
    const { code, trpc, lectureId, createRowAt } = await shareLecture();
    const reader = await read({ code, language: "fr" });
    const entries = [
      createRowAt("It is also a packet.", 1, { translated: "paquet" }),
      createRowAt("Both are true.", 2),
    ];
    await trpc.lectures.saveRows.mutate({ lectureId, entries, deleted: [] });
    await expect
      .poll(() => reader.texts)
      .toEqual([light[0], "It is also a packet.", "Both are true."]);
    expect(reader.translations.slice(1)).toEqual(["paquet", "fr: Both are true."]);
    await trpc.lectures.rename.mutate({ id: lectureId, title: "Waves" });
    await trpc.lectures.change.mutate({
      id: lectureId,
      summary: "Short.",
      speakerNames: { 1: "Ada" },
    });
    await expect.poll(() => reader.view?.summary).toBe("Short.");
    expect(reader.view?.lecture).toMatchObject({ title: "Waves", speakerNames: { 1: "Ada" } });
    // An unchanged row does not come again.
    const rows = reader.received.flatMap((message) =>
      "rows" in message ? (message.rows ?? []) : [],
    );
    expect(rows.filter(({ original }) => original === light[0])).toHaveLength(1);
  });

  test("hears the recording, and reads when it stops", async () => {
    await speech({ reset: true });
    const { code, browser, lectureId, trpc, share, addRow } = await shareLecture({
      mode: "while_recording",
      texts: [],
    });
    const reader = await ReaderPage.open({ code });
    await expect.poll(() => reader.view?.status).toBe("waiting");
    const audio = spoken({ to: 4 });
    const recorder = new RelayClient(lectureId, { cookie: browser.cookie ?? "" }, audio);
    await recorder.connect();
    await expect.poll(() => reader.view?.status).toBe("live");
    await recorder.finish();
    await expect.poll(() => reader.view?.status).toBe("paused");
    await expect.poll(() => reader.view?.live?.finalText.trim()).toBe(recorder.words.trim());
    // Its row replaces the live words.
    await addRow(recorder.words.trim(), 0, { endMs: 3_600_000 });
    await expect.poll(() => reader.view?.live).toBeNull();
    await trpc.lectures.complete.mutate({ id: lectureId, title: "Optics" });
    await expect.poll(() => reader.end).toBe("ended");
    expect((await readShareRow(share.id))?.endedAt).not.toBeNull();
  });

  test("reads that the recording has stopped, also after the recording's room was evicted", async () => {
    await speech({ reset: true });
    const { code, browser, lectureId, addRow } = await shareLecture({ texts: [] });
    const reader = await ReaderPage.open({ code });
    await expect.poll(() => reader.view?.status).toBe("waiting");
    const audio = spoken({ to: 4 });
    const recorder = new RelayClient(lectureId, { cookie: browser.cookie ?? "" }, audio);
    await recorder.connect();
    await recorder.finish();
    await expect.poll(() => reader.view?.status).toBe("paused");
    const room = getRoom(lectureId);
    await evictDurableObject(room);
    // Such as the one that deletes what the room has stored.
    expect(await runDurableObjectAlarm(room)).toBe(true);
    await addRow("Light is a wave.", 0);
    await expect.poll(() => reader.texts).toEqual(["Light is a wave."]);
    expect(reader.view?.status).toBe("paused");
  });

  test("that joins first, in the middle of a sentence, gets it from its beginning", async () => {
    await speech({ reset: true });
    const { code, browser, lectureId } = await shareLecture({ texts: [] });
    const recorder = new RelayClient(
      lectureId,
      { cookie: browser.cookie ?? "" },
      spoken({ to: 12 }),
    );
    await recorder.connect();
    recorder.speak(12);
    await expect.poll(() => recorder.words.trim()).not.toBe("");
    const words = recorder.words.trim();
    const reader = await ReaderPage.open({ code });
    await expect.poll(() => reader.view?.live?.finalText ?? "").toContain(words);
    expect(reader.view?.status).toBe("live");
  });

  test("that sends anything but a language is closed", async () => {
    const { code } = await shareLecture();
    const frames = [
      "hello",
      "{}",
      JSON.stringify({ type: "config", sampleRate: 16_000, language: "en" }),
      JSON.stringify({ type: "audio", data: "AAAA", seq: 0 }),
      JSON.stringify({ type: "language", language: "fr", code }),
      JSON.stringify({ type: "language", language: "xx" }),
      JSON.stringify({ type: "probe", probe: "0123456789abcdef" }),
      " ".repeat(1_000),
      new Uint8Array(8_196),
    ];
    for (const frame of frames) {
      const reader = await ReaderPage.open({ code });
      reader.socket.send(frame);
      await expect.poll(() => [reader.end, reader.closed]).toEqual(["invalid", 1008]);
    }
  });

  test("gets an answer to its ping without waking the object", async () => {
    const { code } = await shareLecture();
    const reader = await ReaderPage.open({ code });
    reader.socket.send("ping");
    await expect.poll(() => reader.frames).toContain("pong");
  });
});

describe("a reader that does not read", () => {
  const long = (n: number) => `${n} ${"word ".repeat(3_900)}`;

  test("is closed when 192 KiB wait for it, and goes on where it was", async () => {
    const { code, share, addRow } = await shareLecture();
    const [idle, good] = [await read({ code }), await read({ code })];
    const former = await read({ code, probes: "" });
    for (const one of [idle, former]) one.answersProbes = false;
    const closed = () => [idle, good, former].map((one) => one.closed);
    for (let n = 2; closed().filter((code) => code !== null).length < 2; n += 1) {
      await addRow(long(n), n);
      await expect.poll(() => good.texts).toHaveLength(n + 1);
    }
    expect(closed()).toEqual([shareUnreadCode, null, shareUnreadCode]);
    for (const one of [idle, former]) {
      const length = one.frames.join("").length;
      expect(length).toBeGreaterThan(unreadMaxBytes - 2 * long(10).length);
      expect(length).toBeLessThan(unreadMaxBytes + 2_048);
    }
    expect(idle.probes.length).toBeGreaterThan(3);
    expect(former.probes).toEqual([]);
    const { epoch = "", seq: since = 0 } = idle.view ?? {};
    const again = await ReaderPage.open({ code, epoch, since });
    again.view = idle.view;
    await expect.poll(() => again.texts).toEqual(good.texts);
    expect(new Set(again.received.map(({ type }) => type))).toEqual(new Set(["delta"]));
    // Their connections have ended, so they hold no place.
    await expect
      .poll(() =>
        runInDurableObject(getShareRoom(share.id), (_, state) => state.getWebSockets().length),
      )
      .toBe(2);
  });

  test("is closed also where its object hibernates between what is said", async () => {
    const { code, share, addRow } = await shareLecture();
    const idle = await read({ code });
    idle.answersProbes = false;
    let n = 2;
    for (; idle.closed === null && n < 20; n += 1) {
      await addRow(long(n), n);
      await expect.poll(() => idle.closed !== null || idle.texts.length > n).toBe(true);
      await evictDurableObject(getShareRoom(share.id));
    }
    expect(idle.closed).toBe(shareUnreadCode);
  });

  test("gets no more than the newest part of a long lecture before it says that it reads", async () => {
    const texts = Array.from({ length: 40 }, (_, n) => long(n));
    const { code } = await shareLecture({ texts });
    const idle = await ReaderPage.open({ code });
    // Before its first message, which comes while the other one opens.
    idle.answersProbes = false;
    const good = await ReaderPage.open({ code });
    await expect.poll(() => good.texts).toEqual(texts);
    expect(good.view?.pagesLeft).toBe(0);
    expect(idle.texts.at(-1)).toBe(texts.at(-1));
    expect(idle.frames.join("").length).toBeLessThan(unreadMaxBytes);
    expect(idle.closed).toBeNull();
  });
});

describe("a translation", () => {
  test("is made once for all readers of a language, and kept", async () => {
    const { code, trpc, lectureId, addRow } = await shareLecture();
    const text = `A photon ${crypto.randomUUID()}.`;
    await addRow(text, 2);
    const readers = [
      await ReaderPage.open({ code, language: "de" }),
      await ReaderPage.open({ code, language: "de" }),
    ];
    for (const reader of readers)
      await expect.poll(() => reader.translations.filter((one) => one !== null)).toHaveLength(3);
    const late = await ReaderPage.open({ code, language: "de" });
    await expect.poll(() => late.view).not.toBeNull();
    expect(late.received[0]).toMatchObject({ type: "snapshot" });
    expect(late.translations).toEqual(readers[0]?.translations);
    expect(await listCalls(text)).toEqual(["German"]);
    // A restarted object reads it from the database.
    const share = await trpc.shares.get.query({ lectureId });
    await evictDurableObject(getShareRoom(share?.id ?? ""));
    const later = await ReaderPage.open({ code, language: "de" });
    await expect.poll(() => later.translations).toEqual(late.translations);
    expect(await listCalls(text)).toEqual(["German"]);
    const corrected = `A wave ${crypto.randomUUID()}.`;
    await addRow(corrected, 2);
    await expect.poll(() => later.translations[2]).not.toBe(late.translations[2] ?? "");
    await expect.poll(async () => await listCalls(corrected)).toEqual(["German"]);
  });

  test("into more languages than the plan allows is refused; the owner's is free", async () => {
    const { code } = await shareLecture();
    const german = await ReaderPage.open({ code, language: "de" });
    await expect.poll(() => german.view?.language).toBe("de");
    const japanese = await ReaderPage.open({ code, language: "ja" });
    await expect
      .poll(() => japanese.view)
      .toMatchObject({ language: "none", isLanguageRefused: true });
    expect(japanese.texts).toEqual(light);
    expect(japanese.view?.lecture.languages.toSorted()).toEqual(["de", "en", "fr"]);
    japanese.send({ type: "language", language: "fr" });
    await expect.poll(() => japanese.translations).toEqual(inFrench);
    japanese.send({ type: "language", language: "ko" });
    await expect.poll(() => japanese.view?.isLanguageRefused).toBe(true);
    expect(japanese.view?.language).toBe("fr");
  });

  test.each([
    ["pro", 200, 3],
    ["premium", 1_000, 10],
  ] as const)("is limited by the plan: %s", async (tier, readersMax, languagesMax) => {
    const { trpc, lectureId } = await shareLecture({ tier });
    expect(await trpc.shares.get.query({ lectureId })).toMatchObject({ readersMax, languagesMax });
  });

  test("waits when the owner's budget for readers is used up, and says so", async () => {
    const { code, user } = await shareLecture();
    const key = `model:user:${user.id}`;
    // More than three quarters of it.
    await services.db.execute(sql`insert into daily_counters (day, key, amount)
      values ((now() at time zone 'utc')::date, ${key}, 4500001)`);
    const reader = await ReaderPage.open({ code, language: "de" });
    await expect.poll(() => reader.view?.isTranslationPaused).toBe(true);
    expect(reader.translations).toEqual([null, null]);
    expect(await services.db.select().from(readerTranslations).where(sql`translated = ''`)).toEqual(
      [],
    );
  });
});

describe("an evicted object", () => {
  test("goes on with the numbers that its readers have", async () => {
    const { code, share, addRow } = await shareLecture();
    const reader = await read({ code, language: "fr" });
    const before = reader.view?.seq ?? 0;
    await evictDurableObject(getShareRoom(share.id));
    await addRow("Both are true.", 2);
    // Nobody has told the restarted object which rows its readers have: its storage does.
    await runDurableObjectAlarm(getShareRoom(share.id));
    await expect.poll(() => reader.texts).toEqual([...light, "Both are true."]);
    expect(reader.view?.seq).toBe(before + 1);
    const delta = reader.received.at(-1);
    expect(delta).toMatchObject({ type: "delta", from: before });
    expect(delta && "rows" in delta ? delta.rows : []).toHaveLength(1);
  });

  test("sends a reader that was away only what it missed", async () => {
    const { code, share, addRow } = await shareLecture();
    const first = await read({ code, language: "fr" });
    const { epoch = "", seq: since = 0 } = first.view ?? {};
    first.socket.close(1000);
    await evictDurableObject(getShareRoom(share.id));
    await addRow("Both are true.", 2);
    const again = await ReaderPage.open({ code, language: "fr", epoch, since });
    again.view = first.view;
    await expect.poll(() => again.texts).toEqual([...light, "Both are true."]);
    expect(again.received).toMatchObject([
      {
        type: "delta",
        from: since,
        rows: [{ position: 2 }],
        translations: [{ position: 2, text: "fr: Both are true." }],
      },
    ]);
  });
});

describe("the end", () => {
  test("reaches all readers, and is final for one that goes on where it was", async () => {
    const { code, trpc, lectureId } = await shareLecture();
    const readers = [await read({ code }), await read({ code })];
    const { epoch = "", seq: since = 0 } = readers[0]?.view ?? {};
    await trpc.shares.end.mutate({ lectureId });
    for (const reader of readers)
      await expect.poll(() => [reader.end, reader.closed]).toEqual(["ended", 1008]);
    await trpc.lectures.rename.mutate({ id: lectureId, title: "Later" });
    for (const options of [{}, { epoch, since }, { epoch, since: 0 }]) {
      const late = await ReaderPage.open({ code, ...options });
      await expect.poll(() => late.end).toBe("ended");
      expect(late.received).toHaveLength(1);
    }
    expect(await trpc.shares.get.query({ lectureId })).toBeNull();
    const notFound = { data: { appCode: "not_found" } };
    await expect(trpc.shares.renew.mutate({ lectureId })).rejects.toMatchObject(notFound);
    const change = trpc.shares.change.mutate({ lectureId, mayCopy: true });
    await expect(change).rejects.toMatchObject(notFound);
  });

  type Owner = Awaited<ReturnType<typeof shareLecture>>;
  test.each<[string, string, (owner: Owner) => Promise<void>]>([
    [
      "a renewed link, which is read instead",
      "ended",
      async ({ trpc, lectureId }) => {
        const { code } = await trpc.shares.renew.mutate({ lectureId });
        await read({ code });
      },
    ],
    [
      "the deletion of the lecture, also if it is restored",
      "ended",
      async ({ trpc, lectureId }) => {
        const deletion = await trpc.lectures.delete.mutate({ id: lectureId });
        await trpc.trash.restore.mutate({ id: deletion.id ?? "" });
      },
    ],
    [
      "the deletion of the account",
      "unknown",
      async ({ trpc }) => {
        await trpc.auth.deleteAccount.mutate({ confirmation: "DELETE" });
      },
    ],
  ])("comes with %s", async (_, lateEnd, end) => {
    const owner = await shareLecture();
    const reader = await read({ code: owner.code });
    await end(owner);
    await expect.poll(() => reader.end).toBe("ended");
    const late = await ReaderPage.open({ code: owner.code });
    await expect.poll(() => late.end).toBe(lateEnd);
  });

  test("ends the translations for readers that the model is working on", async () => {
    const text = `A slow photon ${crypto.randomUUID()}.`;
    await failRequests(text, { delayMs: 60_000 });
    const { code, trpc, lectureId } = await shareLecture({ texts: [text] });
    const reader = await ReaderPage.open({ code, language: "de" });
    await untilOpen(text, 1);
    // Another reader may come for it: it goes on.
    reader.socket.close(1000);
    const late = await ReaderPage.open({ code, language: "de" });
    await expect.poll(() => late.texts).toEqual([text]);
    expect(await openPrompts(text)).toBe(1);
    await trpc.shares.end.mutate({ lectureId });
    await untilOpen(text, 0);
    expect(late.end).toBe("ended");
  });

  test("is found by the alarm if the object was not told", async () => {
    const { code, share } = await shareLecture();
    const reader = await read({ code });
    await services.db.execute(sql`update shares set ended_at = now() where id = ${share.id}`);
    await evictDurableObject(getShareRoom(share.id));
    expect(await runDurableObjectAlarm(getShareRoom(share.id))).toBe(true);
    await expect.poll(() => reader.end).toBe("ended");
  });
});

describe("a stranger", () => {
  test("gets the same answer for every wrong code, and no hash opens anything", async () => {
    const { share } = await shareLecture();
    const row = await readShareRow(share.id);
    const codes = [
      "",
      "x",
      "A".repeat(22),
      row?.codeHash ?? "",
      share.id,
      row?.codeHash.slice(0, 22) ?? "",
    ];
    for (const code of codes) {
      const reader = await ReaderPage.open({ code });
      await expect.poll(() => reader.end).toBe("unknown");
      expect(reader.received).toHaveLength(1);
    }
  });

  test("cannot name another share in the internal header", async () => {
    const [mine, theirs] = [await shareLecture(), await shareLecture()];
    const title = `Secret ${crypto.randomUUID()}`;
    await theirs.trpc.lectures.rename.mutate({ id: theirs.lectureId, title });
    const grant = { shareId: theirs.share.id, language: "none", since: null };
    const reader = await ReaderPage.open(
      { code: mine.code },
      { [shareGrantHeader]: JSON.stringify(grant) },
    );
    await expect.poll(() => reader.view?.lecture.title).toBe("Optics");
    expect(reader.frames.join()).not.toContain(title);
  });

  test("reads no other lecture of the owner", async () => {
    const { code, trpc, lectureId } = await shareLecture();
    const reader = await read({ code });
    const other = crypto.randomUUID();
    await trpc.lectures.create.mutate({ id: other, title: "Private", targetLanguage: "fr" });
    await trpc.lectures.saveRows.mutate({
      lectureId: other,
      entries: [createEntry("A private sentence.", 0)],
      deleted: [],
    });
    await trpc.lectures.rename.mutate({ id: lectureId, title: "Public" });
    await expect.poll(() => reader.view?.lecture.title).toBe("Public");
    expect(reader.frames.join()).not.toMatch(/private/i);
  });

  test("cannot open more sockets from one address than a large class", async () => {
    const { code } = await shareLecture();
    const address = { "cf-connecting-ip": "203.0.113.9" };
    await waitForWindow(20);
    const reader = await read({ code }, address);
    // As many as 2,000 sockets count, opened or refused.
    const { readers } = services.limits;
    await Promise.all(Array.from({ length: 1_999 }, () => readers.allow("address:203.0.113.9")));
    for (let count = 0; count < 5; count += 1) {
      const late = await ReaderPage.open({ code }, address);
      await expect.poll(() => late.end).toBe("rate_limited");
    }
    // Whoever reads already is not affected, nor is another address.
    expect(reader.end).toBeNull();
    await read({ code }, { "cf-connecting-ip": "203.0.113.10" });
  });

  test("on another site gets no socket, and a guest cannot share", async () => {
    const { code } = await shareLecture();
    const foreign = await openShare({ code }, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    const plain = await openShare({ code }, { upgrade: "" });
    expect(plain.status).toBe(426);
  });
});

describe("a reader that is signed in", () => {
  test("keeps a copy with its translation, once", async () => {
    const { code } = await shareLecture();
    const german = await ReaderPage.open({ code, language: "de" });
    await expect.poll(() => german.translations.filter((one) => one !== null)).toHaveLength(2);
    const readStored = () =>
      services.db
        .select()
        .from(readerTranslations)
        .where(sql`translated = ${german.translations[1]}`);
    await expect.poll(readStored).not.toEqual([]);
    const { trpc } = await openSignedIn();
    const id = crypto.randomUUID();
    await trpc.shares.keep.mutate({ id, code, language: "de" });
    await trpc.shares.keep.mutate({ id, code, language: "de" });
    const copy = await trpc.lectures.get.query({ id });
    expect(copy).toMatchObject({ title: "Optics", targetLanguage: "de", status: "completed" });
    expect(copy.entries.map(({ original }) => original)).toEqual(light);
    expect(copy.entries.map(({ translated }) => translated)).toEqual(german.translations);
    expect(copy.translatedExcerpt).toBe(german.translations.join(" "));
    const list = await trpc.lectures.list.query({});
    expect(list.items).toHaveLength(1);
  });

  test("readers and their copies get the mark of the demo voice as soon as it is set", async () => {
    const { code, trpc, lectureId } = await shareLecture();
    const reader = await ReaderPage.open({ code });
    await expect.poll(() => reader.view?.lecture.title).toBe("Optics");
    expect(reader.view?.lecture.hasDemoText).toBeUndefined();
    const { trpc: readersTrpc } = await openSignedIn();
    const keep = async () => {
      const id = crypto.randomUUID();
      await readersTrpc.shares.keep.mutate({ id, code, language: "fr" });
      return (await readersTrpc.lectures.get.query({ id })).hasDemoText;
    };
    expect(await keep()).toBe(false);
    await trpc.lectures.change.mutate({ id: lectureId, hasDemoText: true });
    await expect.poll(() => reader.view?.lecture.hasDemoText).toBe(true);
    expect(await keep()).toBe(true);
  });

  test("may not if the owner does not allow it, or the share has ended", async () => {
    const { code, trpc, lectureId } = await shareLecture({ mayCopy: false });
    const reader = await openSignedIn();
    const keep = () =>
      reader.trpc.shares.keep.mutate({ id: crypto.randomUUID(), code, language: "fr" });
    await expect(keep()).rejects.toMatchObject({ data: { appCode: "not_found" } });
    await trpc.shares.change.mutate({ lectureId, mayCopy: true });
    await keep();
    await trpc.shares.end.mutate({ lectureId });
    await expect(keep()).rejects.toMatchObject({ data: { appCode: "not_found" } });
  });
});
