import { describe, expect, test } from "vitest";
import { unreadMaxBytes } from "#server/unread.ts";
import { shareClosedCode, shareDeltasPerSecond } from "#shared/share.ts";
import { shareUnreadCode } from "#shared/site.ts";
import { untranslatableFragment } from "#shared/words.ts";
import { ShareWorld, translate } from "./share-world.ts";

const minute = 60_000;
const final = (text: string, startMs: number) => ({
  text,
  is_final: true,
  start_ms: startMs,
  end_ms: startMs + 200,
});
const interim = (text: string, startMs: number) => ({ ...final(text, startMs), is_final: false });

/** A share with two sentences, whose reader has everything. */
function createWorld(...args: ConstructorParameters<typeof ShareWorld>) {
  const world = new ShareWorld(...args);
  world.append({}, false);
  world.append({}, false);
  const page = world.join();
  world.settle();
  return { world, page };
}

describe("deltas", () => {
  test("are at most five in any second, and the last one has everything", () => {
    const { world, page } = createWorld();
    const from = page.received.length;
    for (let n = 0; n < 100; n += 1) {
      world.speak({ interim: [interim(` word ${n}`, 60_000 + n)] });
      if (n % 10 === 0) world.append();
      world.answerRead();
      world.wait(30);
      world.deliverAll();
    }
    world.wait(1_000);
    world.deliverAll();
    const times = page.received.slice(from).map(({ at }) => at);
    for (const [index, at] of times.entries())
      expect((times[index + shareDeltasPerSecond] ?? Infinity) - at).toBeGreaterThanOrEqual(970);
    expect(page.view?.live?.interimText).toBe("word 99");
    expect(page.texts).toHaveLength(12);
  });

  test("bring words at once, and rows with them", () => {
    const { world, page } = createWorld();
    world.speak({});
    world.settle();
    world.append();
    world.answerRead();
    expect(page.inbox).toEqual([]);
    world.speak({ finals: [final(" New", 60_000)] });
    expect(page.inbox).toMatchObject([{ type: "delta", rows: [{ position: 2 }], live: {} }]);
    world.append();
    world.answerRead();
    world.wait(350);
    expect(page.inbox).toHaveLength(2);
  });

  test.each(["zh-cn", "de", "none"] as const)(
    "do not delay the text of the first reader: %s",
    (language) => {
      const world = new ShareWorld();
      world.append({ translated: "一。", translatedInto: "zh-cn" }, false);
      const page = world.join(language);
      world.answerRead();
      if (language !== "none") world.answerTranslationRead();
      expect(page.inbox).toMatchObject([{ type: "snapshot", rows: [{ position: 0 }] }]);
    },
  );

  test("are sent at once while there were fewer than five in the last second", () => {
    const { world, page } = createWorld();
    world.wait(2_000);
    world.deliverAll();
    for (let n = 1; n <= shareDeltasPerSecond; n += 1) {
      world.speak({ interim: [interim(` word ${n}`, 60_000 + n)] });
      expect(page.inbox).toHaveLength(n);
    }
    world.speak({ interim: [interim(" more", 70_000)] });
    expect(page.inbox).toHaveLength(shareDeltasPerSecond);
  });

  test("are the same message for all readers of the original", () => {
    const { world } = createWorld();
    for (let n = 0; n < 5; n += 1) world.join();
    world.settle();
    const from = world.effects.length;
    world.speak({ interim: [interim(" Hello", 60_000)] });
    const sent = world.effects.slice(from).filter(({ type }) => type === "send");
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ readerIds: { length: 6 } });
  });
});

describe("the live line", () => {
  test("has the words after the last row, each once", () => {
    const { world, page } = createWorld();
    const end = world.rows[1]?.endMs ?? 0;
    world.speak({ finals: [final(" old", end - 500), final(" One", end + 10)] });
    // A recorder that connects again gets words twice.
    world.speak({ finals: [final(" One", end + 10), final(" two", end + 300)] });
    world.speak({ interim: [interim(" three", end + 600)] });
    world.settle();
    expect(page.view?.live).toMatchObject({ finalText: "One two", interimText: " three" });
    world.append({ startMs: end + 10, endMs: end + 500 });
    world.settle();
    expect(page.view?.live).toMatchObject({ finalText: "", interimText: "three" });
  });
});

describe("the live line's language", () => {
  const german = { language: "de" } as const;

  test("is that of its words, and otherwise the lecture's", () => {
    const { world, page } = createWorld({ sourceLanguage: "ja" });
    world.speak({ finals: [final("一番", 60_000)] });
    world.settle();
    expect(page.view?.live).toMatchObject({ finalText: "一番", spokenIn: "ja" });
    world.speak({ finals: [{ ...final(" eins", 60_300), ...german }] });
    world.settle();
    expect(page.view?.live?.spokenIn).toBe("de");
  });

  test("is that of the last row where it is found out and not said", () => {
    const { world, page } = createWorld({ sourceLanguage: "detect" });
    world.speak({ interim: [{ ...interim(" eins", 60_000), ...german }] });
    world.settle();
    expect(page.view?.live?.spokenIn).toBe("de");
    world.append({ spokenIn: "ar" });
    world.speak({ interim: [interim(" واحد", 60_000)] });
    world.settle();
    expect(page.view?.live?.spokenIn).toBe("ar");
  });
});

describe("the status", () => {
  test("says what the recording does", () => {
    const { world, page } = createWorld();
    const read = () => {
      world.settle();
      return page.view?.status;
    };
    expect(read()).toBe("waiting");
    world.speak({});
    expect(read()).toBe("live");
    world.speak({ recording: "lost" });
    expect(read()).toBe("waiting");
    world.speak({});
    world.speak({ recording: "stopped" });
    expect(read()).toBe("paused");
    world.source = world.source && { ...world.source, isCompleted: true };
    world.send({ type: "changed", rows: null, isCompleted: true });
    expect(read()).toBe("finished");
    expect(page.view?.end).toBeNull();
  });

  test("of a recording without a room follows its rows", () => {
    const { world, page } = createWorld();
    world.append();
    world.answerRead();
    world.wait(1_000);
    world.deliverAll();
    expect(page.view?.status).toBe("live");
    world.wait(2 * minute);
    world.deliverAll();
    expect(page.view?.status).toBe("waiting");
  });

  test.each<[string, (world: ShareWorld) => void]>([
    ["without a room", (world) => world.append()],
    ["whose connection was lost", (world) => world.speak({ recording: "lost" })],
  ])("of a recording %s is finished once the owner has saved it", (_, record) => {
    const { world, page } = createWorld();
    record(world);
    world.settle();
    world.source = world.source && { ...world.source, isCompleted: true };
    world.send({ type: "changed", rows: null, isCompleted: true });
    world.evict();
    world.wait(10 * minute);
    world.settle();
    expect(page.view?.status).toBe("finished");
  });
});

describe("a share that lasts while recording", () => {
  const ended = (world: ShareWorld) => world.effects.some(({ type }) => type === "endShare");

  test("survives a break and an outage of 20 minutes, and no longer", () => {
    for (const recording of ["lost", "stopped"] as const) {
      const { world, page } = createWorld({ mode: "while_recording" });
      world.speak({});
      world.wait(3 * 60 * minute);
      world.speak({ recording });
      world.wait(19 * minute);
      expect(ended(world)).toBe(false);
      // Also an object that was evicted meanwhile.
      world.evict();
      world.wait(2 * minute);
      world.settle();
      expect(ended(world)).toBe(true);
      world.send({ type: "endFailed" });
      world.wait(2 * minute);
      world.send({ type: "ended" });
      world.deliverAll();
      expect(page.view?.end).toBe("ended");
    }
  });

  test("goes on where the owner's browser recognises what the room no longer does", () => {
    const { world, page } = createWorld({ mode: "while_recording" });
    world.speak({});
    world.speak({ recording: "stopped" });
    // The last words of the room.
    world.append();
    world.settle();
    expect(page.view?.status).toBe("paused");
    for (let row = 0; row < 50; row += 1) {
      world.append();
      world.answerRead();
      world.wait(minute / 2);
      world.deliverAll();
    }
    expect(page.view?.status).toBe("live");
    expect(ended(world)).toBe(false);
  });

  test("ends when the owner saves the lecture, once the recording has stopped", () => {
    const { world } = createWorld({ mode: "while_recording" });
    world.speak({});
    world.send({ type: "changed", rows: null, isCompleted: true });
    world.settle();
    expect(ended(world)).toBe(false);
    world.speak({ recording: "stopped" });
    expect(ended(world)).toBe(true);
  });

  test("ends for its first reader, if the recording was over before", () => {
    const world = new ShareWorld({
      mode: "while_recording",
      createdAt: Date.UTC(2026, 10, 23, 7),
      recordedAt: Date.UTC(2026, 10, 23, 8),
    });
    world.append({}, false);
    const page = world.join();
    world.answerRead();
    expect(ended(world)).toBe(true);
    world.send({ type: "ended" });
    world.deliverAll();
    expect(page.view).toBeNull();
    const late = world.join();
    expect(late.readerId).toBeNull();
  });
});

describe("translations", () => {
  test("are requested once for each sentence and language, the newest first, with context", () => {
    const world = new ShareWorld({ languagesMax: 3 });
    for (let n = 0; n < 30; n += 1) world.append({}, false);
    for (const language of ["de", "ja", "de", "none"] as const) world.join(language);
    world.answerRead();
    world.answerTranslationRead();
    world.answerTranslationRead();
    expect(world.jobs.map(({ sentence }) => sentence.original).slice(0, 2)).toEqual([
      "Sentence 30.",
      "Sentence 29.",
    ]);
    expect(world.jobs[0]).toMatchObject({
      context: expect.stringMatching(/^Previous context: .*Sentence 28\. Sentence 29\.$/),
      wordContext: "Physics.",
    });
    expect(world.jobs.length).toBeLessThanOrEqual(8);
    world.settle();
    const calls = world.calls.map(({ language, sentence }) => `${language} ${sentence.original}`);
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls).toHaveLength(60);
  });

  test("into the owner's language are the owner's, unless the owner's page makes none", () => {
    const world = new ShareWorld();
    world.append({ translated: "Bonjour.", translatedInto: "fr" }, false);
    world.append({}, false);
    const page = world.join("fr");
    world.answerRead();
    world.answerTranslationRead();
    world.wait(59_000);
    expect(world.calls).toEqual([]);
    world.wait(2_000);
    expect(world.calls).toMatchObject([{ sentence: { original: "Sentence 2." } }]);
    world.settle();
    expect(page.translations).toEqual(["Bonjour.", translate("Sentence 2.", "fr")]);
    // The owner's own replaces it.
    world.change(1, { translated: "Deux.", translatedInto: "fr" });
    world.settle();
    expect(page.translations).toEqual(["Bonjour.", "Deux."]);
  });

  test("are none of a sentence in the reader's language, which costs nothing", () => {
    const world = new ShareWorld({ sourceLanguage: "detect" });
    world.append({ spokenIn: "de" }, false);
    world.append({ spokenIn: "ja" }, false);
    world.append({ spokenIn: "zh" }, false);
    const [german, traditional, simplified] = [
      world.join("de"),
      world.join("zh"),
      world.join("zh-cn"),
    ];
    world.settle();
    expect(german.translations).toEqual([null, "de: Sentence 2.", "de: Sentence 3."]);
    expect(simplified.translations).toEqual(["zh-cn: Sentence 1.", "zh-cn: Sentence 2.", null]);
    expect(traditional.translations[2]).toBe("zh: Sentence 3.");
    expect(world.calls).toHaveLength(7);
    const german2 = world.calls.find(({ language }) => language === "de");
    expect(german2?.sourceLanguage).not.toBe("de");
  });

  test("of a lecture in two languages are the owner's in both directions", () => {
    const world = new ShareWorld({ sourceLanguage: "de", isTwoWay: true, languagesMax: 0 });
    world.append({ spokenIn: "de", translated: "Bonjour.", translatedInto: "fr" }, false);
    world.append({ spokenIn: "fr", translated: "Guten Tag.", translatedInto: "de" }, false);
    world.append({ spokenIn: "fr" }, false);
    const [german, french] = [world.join("de"), world.join("fr")];
    world.answerRead();
    world.answerTranslationRead();
    world.answerTranslationRead();
    world.wait(59_000);
    world.deliverAll();
    expect(german.view?.lecture.languages).toEqual(["fr", "de"]);
    expect(german.translations).toEqual([null, "Guten Tag.", null]);
    expect(french.translations).toEqual(["Bonjour.", null, null]);
    expect(world.calls).toEqual([]);
    // The owner's page seems to be closed.
    world.settle();
    expect(world.calls).toMatchObject([{ sourceLanguage: "fr", language: "de" }]);
    expect(german.translations).toEqual([null, "Guten Tag.", "de: Sentence 3."]);
  });

  test("are awaited again after a correction of the original", () => {
    const { world } = createWorld();
    const page = world.join("de");
    world.settle();
    world.change(0, { original: "Corrected." });
    world.answerRead();
    world.wait(350);
    world.deliverAll();
    expect(page.translations[0]).toBeNull();
    world.settle();
    expect(page.translations[0]).toBe("de: Corrected.");
  });

  test("fail after three attempts, and readers are told", () => {
    const world = new ShareWorld();
    world.append({}, false);
    const page = world.join("de");
    world.answerRead();
    world.answerTranslationRead();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      world.answerJob("llm_failed");
      world.wait(20_000);
    }
    world.deliverAll();
    expect(world.calls).toHaveLength(3);
    expect(page.translations).toEqual(["failed"]);
  });

  test("are empty for a fragment that the model cannot translate, which is asked for once", () => {
    const world = new ShareWorld();
    world.append({ original: "Uh—" }, false);
    const page = world.join("de");
    world.answerRead();
    world.answerTranslationRead();
    const [job] = world.jobs.splice(0);
    world.send({ type: "translated", jobId: job?.jobId ?? 0, text: untranslatableFragment });
    world.settle();
    expect(page.translations).toEqual([""]);
    expect(world.calls).toHaveLength(1);
  });

  test("pause for ten minutes when the budget is used up", () => {
    const world = new ShareWorld();
    world.append({}, false);
    const page = world.join("de");
    world.answerRead();
    world.answerTranslationRead();
    world.answerJob("model_budget_exhausted");
    world.wait(1_000);
    world.deliverAll();
    expect(page.view?.isTranslationPaused).toBe(true);
    world.wait(9 * minute);
    expect(world.calls).toHaveLength(1);
    world.wait(minute);
    world.settle();
    expect(page.view?.isTranslationPaused).toBe(false);
    expect(page.translations).toEqual(["de: Sentence 1."]);
  });

  test("pause although one that was under way before still arrives", () => {
    const world = new ShareWorld();
    world.append({}, false);
    world.append({}, false);
    const page = world.join("de");
    world.answerRead();
    world.answerTranslationRead();
    world.answerJob("model_budget_exhausted");
    world.answerJob();
    world.wait(1_000);
    world.deliverAll();
    expect(page.translations).toEqual(["de: Sentence 1.", null]);
    expect(page.view?.isTranslationPaused).toBe(true);
    world.wait(10 * minute);
    world.settle();
    expect(page.translations).toEqual(["de: Sentence 1.", "de: Sentence 2."]);
    expect(page.view?.isTranslationPaused).toBe(false);
  });
});

describe("languages", () => {
  test("beyond the plan's are refused until one was not read for ten minutes", () => {
    const world = new ShareWorld({ languagesMax: 1 });
    world.append({}, false);
    const german = world.join("de");
    const japanese = world.join("ja");
    world.settle();
    // What is spoken needs no translation.
    expect(german.view?.lecture.languages).toEqual(["fr", "de", "en"]);
    expect(japanese.view).toMatchObject({ language: "none", isLanguageRefused: true });
    world.drop(german);
    world.choose(japanese, "ja");
    world.wait(1_000);
    world.deliverAll();
    expect(japanese.view?.isLanguageRefused).toBe(true);
    world.wait(10 * minute);
    world.choose(japanese, "ja");
    world.settle();
    expect(japanese.translations).toEqual(["ja: Sentence 1."]);
  });

  test("that are read stay after an eviction, also when the plan would admit fewer by now", () => {
    const world = new ShareWorld({ languagesMax: 1 });
    const pages = [world.join("fr"), world.join("de")];
    world.settle();
    // From now on French counts too.
    world.source = world.source && { ...world.source, targetLanguage: "es" };
    for (const evict of [false, true]) {
      if (evict) world.evict();
      world.append();
      world.settle();
      for (const { language, translations } of pages)
        expect(translations).toEqual(world.expectTranslations(language));
    }
  });
});

describe("readers", () => {
  test("beyond the plan's are refused, also after it has changed", () => {
    const world = new ShareWorld({ readersMax: 2 });
    const pages = [world.join(), world.join(), world.join()];
    world.settle();
    expect(pages.map(({ readerId }) => readerId !== null)).toEqual([true, true, false]);
    expect(pages[2]?.received).toMatchObject([{ message: { type: "closed", reason: "full" } }]);
    if (pages[1]) world.drop(pages[1]);
    pages[1] = world.join();
    world.settle();
    expect(pages[1].view).toMatchObject({ end: null });
    world.source = world.source && { ...world.source, readersMax: 1 };
    world.wait(6 * minute);
    world.settle();
    expect(pages.map(({ view }) => view?.end)).toEqual([null, "full", undefined]);
  });

  test("that change their language all the time are closed", () => {
    const { world, page } = createWorld();
    for (let n = 0; n < 7; n += 1) world.choose(page, n % 2 ? "none" : "fr");
    world.settle();
    expect(page.view?.end).toBe("rate_limited");
  });

  test("get a long lecture in pages, the newest rows first, as fast as they read", () => {
    const { world, page } = createLongWorld();
    world.deliver(page, 1);
    const newest = page.rows[0]?.position ?? 0;
    expect(page.rows.at(-1)?.position).toBe(199);
    expect(newest).toBeGreaterThan(190);
    expect(page.view?.pagesLeft).toBe(1);
    expect(page.unreadBytes).toBeLessThan(unreadMaxBytes / 2);
    while (page.inbox.length > 0) {
      world.deliver(page, 1);
      expect(page.unreadBytes).toBeLessThan(unreadMaxBytes);
    }
    expect(page.view?.pagesLeft).toBe(0);
    expect(page.texts).toEqual(world.rows.map(({ original }) => original));
  });

  test("get what is said, and a language that they choose, while a long lecture is still to come", () => {
    const { world, page } = createLongWorld();
    world.deliver(page, 2);
    world.append();
    world.change(3, { original: "Corrected before it came." });
    world.change(198, { original: "Corrected after it came." });
    world.choose(page, "fr");
    world.settle();
    expect(page.texts).toEqual(world.rows.map(({ original }) => original));
    expect(page.translations).toEqual(world.expectTranslations("fr"));
    expect(page.view?.pagesLeft).toBe(0);
  });

  test("that were away for long get what they missed as fast as they read", () => {
    const { world, page } = createWorld();
    world.drop(page);
    for (let n = 0; n < 200; n += 1) world.append({ original: createLongText(n) }, false);
    world.report(0, null);
    world.settle();
    const before = page.received.length;
    world.connect(page);
    expect(page.unreadBytes).toBeLessThan(unreadMaxBytes / 2);
    world.settle();
    expect(page.texts).toEqual(world.rows.map(({ original }) => original));
    const types = page.received.slice(before).map(({ message }) => message.type);
    expect(new Set(types)).toEqual(new Set(["delta"]));
  });
});

const createLongText = (n: number) => `${"word ".repeat(2_000)}${n}`;

/** A lecture of two million characters that a reader has joined. */
function createLongWorld(answersProbes = true) {
  const world = new ShareWorld();
  for (let n = 0; n < 200; n += 1) world.append({ original: createLongText(n) }, false);
  const page = world.join("none", answersProbes);
  world.answerRead();
  world.wait(1_000);
  return { world, page };
}

/** A line of 100 words that were not said before. */
function speakLine(world: ShareWorld, n: number): void {
  const startMs = (world.rows.at(-1)?.endMs ?? 0) + n;
  world.speak({ interim: [interim(` ${"word ".repeat(100)}${n}`, startMs)] });
  world.answerRead();
  world.wait(1_000);
}

describe("a reader that does not read", () => {
  test.each([
    ["", true, false],
    [", also where its object is evicted meanwhile", true, true],
    [", of the version before", false, false],
  ])(
    "is closed when 192 KiB wait for it, and goes on where it was%s",
    (_, answersProbes, evict) => {
      const world = new ShareWorld();
      world.append({}, false);
      const [page, other] = [world.join("none", answersProbes), world.join()];
      world.settle();
      // Another reader, which reads, gets everything.
      let largest = 0;
      for (let n = 0; n < 2_000 && page.closed === null; n += 1) {
        speakLine(world, n);
        largest = Math.max(largest, page.unreadBytes);
        world.deliver(other);
        if (evict && n % 20 === 0) world.evict();
      }
      expect(page.closed).toBe(shareUnreadCode);
      expect(largest).toBeLessThan(unreadMaxBytes + 1_024);
      // More is assumed than was sent where the object has lost its memory, 32 KiB each time.
      if (!evict) expect(largest).toBeGreaterThan(unreadMaxBytes - 2_048);
      expect(other.closed).toBeNull();
      world.append();
      const before = page.received.length;
      world.settle();
      expect(page.texts).toEqual(world.rows.map(({ original }) => original));
      expect(page.received[before]?.message.type).toBe("delta");
    },
  );

  test("cannot say that it reads: a probe counts once, and only the one that was sent to it", () => {
    const world = new ShareWorld();
    world.append({}, false);
    const [page, other] = [world.join(), world.join()];
    world.settle();
    for (let n = 0; n < 100; n += 1) speakLine(world, n);
    const probe = other.inbox.find(({ type }) => type === "probe");
    if (probe?.type !== "probe") throw new Error("no probe was sent");
    world.send({ type: "probeAnswered", readerId: page.readerId ?? "", probe: probe.probe });
    world.deliver(page);
    expect(page.view?.end).toBe("invalid");
    const readerId = other.readerId ?? "";
    world.send({ type: "probeAnswered", readerId, probe: probe.probe });
    expect(other.closed).toBeNull();
    world.send({ type: "probeAnswered", readerId, probe: probe.probe });
    expect(other.closed).toBe(shareClosedCode);
  });

  test("holds back a long lecture, and not what others get", () => {
    const { world, page } = createLongWorld();
    const other = world.join();
    world.deliver(other);
    expect(other.texts).toHaveLength(200);
    expect(page.unreadBytes).toBeLessThan(unreadMaxBytes / 2);
    for (let n = 0; n < 2_000 && page.closed === null; n += 1) {
      speakLine(world, n);
      world.deliver(other);
    }
    expect(other.closed).toBeNull();
    expect(page.closed).toBe(shareUnreadCode);
  });
});

test("a page of the version before gets the newest part of a long lecture, and goes on with it", () => {
  const { world, page } = createLongWorld(false);
  expect(page.unreadBytes).toBeLessThan(unreadMaxBytes);
  world.deliver(page);
  expect(page.view?.pagesLeft).toBe(0);
  expect(page.rows.at(-1)?.position).toBe(199);
  expect(page.rows.length).toBeGreaterThan(10);
  const newest = page.rows[0]?.position ?? 0;
  world.append();
  world.settle();
  expect(page.texts).toEqual(world.rows.slice(newest).map(({ original }) => original));
});

test("a summary that is longer than what may wait reaches a reader that has read everything", () => {
  const { world, page } = createWorld();
  const summary = "光".repeat(100_000);
  world.source = world.source && { ...world.source, summary };
  world.report(0, null);
  world.settle();
  expect(page.view?.summary).toBe(summary);
  expect(page.closed).toBeNull();
  const late = world.join();
  world.settle();
  expect(late.view?.summary).toBe(summary);
  expect(late.texts).toEqual(page.texts);
});

test("a database that does not answer is asked once, and costs no alarm each millisecond", () => {
  const { world } = createWorld();
  const from = world.effects.length;
  world.wait(30 * minute);
  expect(world.reads).toHaveLength(1);
  world.answerRead(false);
  world.wait(10 * minute);
  expect(world.effects.slice(from).filter(({ type }) => type !== "read").length).toBeLessThan(30);
});
