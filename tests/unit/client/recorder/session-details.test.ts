import { describe, expect, test } from "vitest";
import { renameSpeaker } from "#client/lecture/lecture-details.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { speakerNamesMax } from "#shared/limits.ts";
import { openPage, recordWords, sayWords, startRecording } from "./kit/harness.ts";
import { getExpectedText } from "./kit/simulated-room.ts";

/** A page that has asked for a context; `answer` gives it. */
async function waitForContext() {
  const { world, page } = openPage();
  const context = Promise.withResolvers<string>();
  world.server.context = () => context.promise;
  await page.record();
  await page.say(1, 110);
  return { world, page, answer: context.resolve };
}

describe("the context", () => {
  test("is generated once at 100 words, saved and sent to translator and provider", async () => {
    const { world, page } = await sayWords(96);
    expect(world.server.contexts).toEqual([]);
    await page.say(97, 140);
    expect(world.server.contexts).toHaveLength(1);
    expect(world.server.contexts[0]?.startsWith(getExpectedText(100))).toBe(true);
    expect(page.view).toMatchObject({ context: "Greek grammar.", contextState: "set" });
    expect(world.server.translations.at(-1)?.wordContext ?? "").toBe("Greek grammar.");
    await page.say(141, 250);
    await page.stop();
    expect(world.server.contexts).toHaveLength(1);
    expect(world.lecture()?.context).toBe("Greek grammar.");
    expect(world.room.configs[0]?.context).toBeUndefined();
    await page.record();
    await page.say(251, 252);
    expect(world.room.configs.at(-1)?.context).toBe("Greek grammar.");
  });

  test("keeps the user's text when a generated one arrives later", async () => {
    const { world, page, answer } = await waitForContext();
    expect(page.view.contextState).toBe("generating");
    page.lecture.setContext("Latin ");
    answer("Greek grammar.");
    await page.say(111, 130);
    expect(page.view).toMatchObject({ context: "Latin ", contextState: "set" });
    await page.stop();
    expect(world.lecture()?.context).toBe("Latin");
    page.lecture.setContext("");
    await page.record();
    await page.say(131, 150);
    expect(page.view.contextState).toBe("empty");
    await world.clock.until(() => world.lecture()?.context === null);
  });

  test("keeps what another tab has written when a generated one arrives later", async () => {
    const { world, page, answer } = await waitForContext();
    await page.stop();
    await world.clock.until(() => page.view.saveState === "saved");
    Object.assign(world.lecture() ?? {}, { context: "Theirs" });
    page.lecture.updateFrom(await world.server.getLecture("lecture-1"));
    answer("Greek grammar.");
    await world.clock.advance(5_000);
    expect(page.view).toMatchObject({ context: "Theirs", contextState: "set" });
    expect(world.lecture()?.context).toBe("Theirs");
  });

  test("logs a retryable failure without a notice and retries a hundred words later", async () => {
    const { world, page } = openPage();
    world.server.fail("generateContext");
    await page.record();
    await page.say(1, 150);
    expect(world.server.contexts).toHaveLength(1);
    expect(page.log).toContain("context not generated");
    expect(page.kinds).toEqual(["recordingStarted"]);
    world.server.before = () => {};
    await page.say(151, 215);
    expect(page.view.context).toBe("Greek grammar.");
  });

  test("is not generated for a lecture that has one", async () => {
    const { world, page } = await recordWords(120);
    Object.assign(world.lecture() ?? {}, { context: "Mine" });
    await page.reset({ quiet: true });
    await page.load("lecture-1");
    await page.record();
    await page.say(121, 140);
    expect(world.server.contexts).toHaveLength(1);
    expect(page.view.context).toBe("Mine");
  });
});

describe("the title", () => {
  test("is proposed with the context, also for a context by hand, and saved if the person leaves it", async () => {
    const { world, page } = openPage();
    page.lecture.setContext("Latin");
    await page.record();
    await page.say(1, 96);
    expect(page.view.lecture).toMatchObject({ titleSource: "date" });
    await page.say(97, 120);
    const proposed = { title: "Greek nouns", titleSource: "proposed" };
    expect(page.view).toMatchObject({ lecture: proposed, context: "Latin", contextState: "set" });
    await page.say(121, 350);
    expect(world.server.contexts).toHaveLength(1);
    // Named on another device meanwhile.
    Object.assign(world.lecture() ?? {}, { title: "Mine", titleSource: "person" });
    await page.save("Greek nouns");
    const saved = { title: "Mine", status: "completed" };
    expect(world.lecture()).toMatchObject(saved);
    expect(page.view.lecture).toMatchObject(saved);
  });

  test("that a person gave elsewhere is not replaced by the one that the Save dialog showed", async () => {
    const { world, page } = await sayWords(50);
    page.session.onLectureRenamed("lecture-1", "Mine");
    Object.assign(world.lecture() ?? {}, { title: "Mine, renamed", titleSource: "person" });
    await page.save("Mine");
    expect(world.lecture()).toMatchObject({ title: "Mine, renamed", status: "completed" });
  });

  test("gives way to a name, whichever comes first", async () => {
    const { world, page } = await sayWords(50);
    page.session.onLectureRenamed("lecture-1", "Mine");
    Object.assign(world.lecture() ?? {}, { title: "Mine", titleSource: "person" });
    await page.say(51, 140);
    expect(page.view.lecture).toMatchObject({ title: "Mine", titleSource: "person" });
    await page.save("Yours");
    expect(world.lecture()?.title).toBe("Yours");
  });
});

describe("the summary", () => {
  test("is streamed, saved with the lecture and loaded with it", async () => {
    const { world, page } = await recordWords(12);
    expect(page.view.hasRecording).toBe(true);
    const updates: string[] = [];
    page.lecture.summary.subscribe(() => {
      const { text, state } = page.lecture.summary.get();
      updates.push(`${state}:${text}`);
    });
    await page.finish(page.lecture.generateSummary());
    const whole = `## Summary\nof ${getExpectedText(12).length} characters.`;
    expect(updates).toEqual([
      "generating:",
      "generating:## Summary\n",
      `generating:${whole}`,
      `idle:${whole}`,
    ]);
    expect(page.kinds.at(-1)).toBe("summaryGenerated");
    expect(page.view.saveState).toBe("unsaved");
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.lecture()?.summary).toBe(whole);
    await page.reset({ quiet: true });
    expect(page.lecture.summary.get().text).toBe("");
    await page.load("lecture-1");
    expect(page.lecture.summary.get()).toEqual({ text: whole, draft: null, state: "idle" });
  });

  test.each<[string, () => AsyncGenerator<string>]>([
    [
      "ends with an error",
      async function* () {
        yield "Half a";
        throw new ApiError("llm_failed", true);
      },
    ],
    [
      "is the failure text",
      async function* () {
        yield "[Summary Failed]";
      },
    ],
    ["is empty", async function* () {}],
    [
      "stalls",
      async function* () {
        yield "Half a";
        await new Promise(() => {});
      },
    ],
  ])("fails and keeps the previous one when the answer %s", async (_name, summary) => {
    const { world, page } = await recordWords(6);
    page.lecture.editSummary("My own.");
    await page.finish(page.lecture.saveSummary());
    page.lecture.editSummary("My own, in short.");
    world.server.summary = summary;
    await page.finish(page.lecture.generateSummary());
    // Told once.
    expect(page.kinds.filter((kind) => kind === "summaryFailed")).toHaveLength(1);
    expect(page.kinds.at(-1)).toBe("summaryFailed");
    const kept = { text: "My own.", draft: "My own, in short.", state: "idle" };
    expect(page.lecture.summary.get()).toEqual(kept);
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.lecture()?.summary).toBe("My own.");
  });

  test("is said to be unusable where the model has answered with no summary", async () => {
    const { world, page } = await recordWords(6);
    world.server.summary = async function* () {
      yield "A summary in another language";
      throw new ApiError("llm_unusable", true);
    };
    await page.finish(page.lecture.generateSummary());
    expect(page.kinds.at(-1)).toBe("summaryUnusable");
    expect(page.lecture.summary.get()).toMatchObject({ text: "", state: "idle" });
  });

  test("has nothing of an engine in whose place another one has written", async () => {
    const { world, page } = await recordWords(6);
    world.server.summary = async function* () {
      yield "A summary in another language";
      yield null;
      yield "The summary.";
    };
    await page.finish(page.lecture.generateSummary());
    expect(page.kinds.at(-1)).toBe("summaryGenerated");
    expect(page.lecture.summary.get().text).toBe("The summary.");
  });

  test("is waited for while the parts of a long lecture are read", async () => {
    const { world, page } = await recordWords(6);
    world.server.summary = async function* () {
      await new Promise<void>((resolve) => world.clock.after(100_000, resolve));
      yield "Of all parts.";
    };
    await page.finish(page.lecture.generateSummary());
    expect(page.lecture.summary.get()).toMatchObject({ text: "Of all parts.", state: "idle" });
  });

  test("is generated after unsaved rows are saved", async () => {
    const { world, page } = await recordWords(12);
    page.lecture.correctRow(0, { original: "Corrected by hand." });
    expect(page.view.saveState).toBe("unsaved");
    world.server.summary = async function* (text) {
      yield text;
    };
    await page.finish(page.lecture.generateSummary());
    expect(page.lecture.summary.get().text).toBe(page.text());
    expect(page.text()).toContain("Corrected by hand.");
  });

  test("is not requested when saving the rows fails", async () => {
    const { world, page } = await recordWords(12);
    page.lecture.correctRow(0, { original: "Corrected by hand." });
    const calls: string[] = [];
    world.server.before = (call) => {
      calls.push(call);
      if (call === "saveRows") throw new ApiError("unavailable", true);
    };
    await page.finish(page.lecture.generateSummary());
    expect(page.kinds.at(-1)).toBe("summaryFailed");
    expect(calls).not.toContain("summarize");
    world.server.before = () => {};
    await world.clock.until(() => page.view.saveState === "saved");
  });

  test("is available after the first pause, and reports a recording without words", async () => {
    const { page } = await startRecording();
    for (let chunk = 0; chunk < 8; chunk += 1) await page.sayChunk(0);
    expect(page.view.hasRecording).toBe(false);
    await page.stop();
    expect(page.view).toMatchObject({ status: "paused", hasRecording: true });
    await page.finish(page.lecture.generateSummary());
    expect(page.notices.at(-1)).toEqual({ kind: "noContent", for: "summary" });
    await page.reset();
    expect(page.view.hasRecording).toBe(false);
  });

  test("replaces what the user has written, who writes nothing while it is generated", async () => {
    const { world, page } = await recordWords(6);
    page.lecture.editSummary("Mine.");
    const going = Promise.withResolvers<void>();
    world.server.summary = async function* () {
      yield "Gene";
      await going.promise;
      yield "rated.";
    };
    const generated = page.lecture.generateSummary();
    await world.clock.until(() => page.lecture.summary.get().text === "Gene");
    expect(page.session.hasUnsavedChanges()).toBe(true);
    page.lecture.editSummary("Other.");
    expect(await page.lecture.saveSummary()).toBe(false);
    going.resolve();
    await page.finish(generated);
    const shown = { text: "Generated.", draft: null, state: "idle" };
    expect(page.lecture.summary.get()).toEqual(shown);
    await world.clock.until(() => world.lecture()?.summary === "Generated.");
  });

  test("requires words and a signed-in user", async () => {
    const { world, page } = openPage();
    await page.lecture.generateSummary();
    expect(page.notices).toEqual([{ kind: "noContent", for: "summary" }]);
    const guest = world.page({ identity: "guest" });
    await guest.lecture.generateSummary();
    expect(guest.notices).toEqual([{ kind: "signInRequired", for: "summary" }]);
  });

  test("is finished and saved after its lecture has been left", async () => {
    const { world, page } = await recordWords(6);
    const going = Promise.withResolvers<void>();
    world.server.summary = async function* () {
      await going.promise;
      yield "Late.";
    };
    const generated = page.lecture.generateSummary();
    await page.reset({ quiet: true });
    going.resolve();
    await page.finish(generated);
    expect(page.kinds).not.toContain("summaryGenerated");
    await world.clock.until(() => world.lecture()?.summary === "Late.");
  });
});

describe("speakers", () => {
  test("have names that are saved and loaded with the lecture", async () => {
    const { world, page } = await recordWords(12);
    page.lecture.renameSpeaker("1", "  Prof. Ito ");
    page.lecture.renameSpeaker("2", "Ann");
    expect(page.view.speakerNames).toEqual({ 1: "Prof. Ito", 2: "Ann" });
    page.lecture.renameSpeaker("2", " ");
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.lecture()?.speakerNames).toEqual({ 1: "Prof. Ito" });
    await page.reset({ quiet: true });
    expect(page.view.speakerNames).toEqual({});
    await page.load("lecture-1");
    expect(page.view.speakerNames).toEqual({ 1: "Prof. Ito" });
  });

  test("are limited in number and in the length of their names", () => {
    expect(renameSpeaker({}, "1", "x".repeat(60))["1"]).toHaveLength(40);
    const full = Object.fromEntries(
      Array.from({ length: speakerNamesMax }, (_, index) => [String(index), "A"]),
    );
    expect(renameSpeaker(full, "new", "B")).toBe(full);
    expect(renameSpeaker(full, "3", "B")["3"]).toBe("B");
    expect(renameSpeaker(full, "3", "A")).toBe(full);
  });
});

describe("a context and a language that are entered before the first recording", () => {
  test("are saved with the lecture and sent with its requests", async () => {
    const { world, page } = openPage();
    page.lecture.setContext("Greek");
    page.lecture.setLanguages({ targetLanguage: "fr" });
    await page.recordWords(1, 6);
    expect(world.lecture()).toMatchObject({ context: "Greek", targetLanguage: "fr" });
    expect(world.server.translations.at(-1)?.wordContext).toBe("Greek");
    expect(world.room.configs[0]?.context).toBe("Greek");
  });
});

describe("a summary that the user writes", () => {
  test("is sent only by Save Summary, and Cancel drops it without a call", async () => {
    const { world, page } = await recordWords(6);
    await world.clock.until(() => page.view.saveState === "saved");
    const before = world.server.changes.length;
    page.lecture.editSummary("Mine.");
    await world.clock.advance(60_000);
    expect(page.session.hasUnsavedChanges()).toBe(true);
    page.lecture.editSummary(null);
    await world.clock.advance(60_000);
    expect(world.server.changes.slice(before)).toEqual([]);
    expect(page.lecture.summary.get()).toEqual({ text: "", draft: null, state: "idle" });
    expect(page.session.hasUnsavedChanges()).toBe(false);

    page.lecture.editSummary("Mine.");
    const saving = page.lecture.saveSummary();
    expect(page.lecture.summary.get()).toEqual({ text: "", draft: "Mine.", state: "saving" });
    await page.finish(saving);
    expect(await saving).toBe(true);
    expect(world.server.changes.slice(before)).toMatchObject([{ summary: "Mine." }]);
    expect(page.lecture.summary.get()).toEqual({ text: "Mine.", draft: null, state: "idle" });
    page.lecture.editSummary(" ");
    await page.finish(page.lecture.saveSummary());
    expect(world.lecture()?.summary).toBeNull();
  });

  test("stays when the server refuses it, which is told at once, and once", async () => {
    const { world, page } = await recordWords(6);
    await world.clock.until(() => page.view.saveState === "saved");
    const before = page.notices.length;
    const failedAt = world.clock.now();
    page.lecture.editSummary("Mine.");
    world.server.fail("updateLecture", new ApiError("internal", true));
    await page.finish(page.lecture.saveSummary());
    expect(world.clock.now()).toBe(failedAt);
    expect(page.notices.slice(before)).toEqual([{ kind: "summaryNotSaved", code: "internal" }]);
    expect(page.lecture.summary.get()).toEqual({ text: "", draft: "Mine.", state: "idle" });
    // It is not sent again by itself.
    world.server.before = () => {};
    await world.clock.advance(60_000);
    expect(world.lecture()?.summary).toBeNull();
    await page.finish(page.lecture.saveSummary());
    expect(world.lecture()?.summary).toBe("Mine.");
  });

  test("is given up after the call's time when the server hangs, and stays", async () => {
    const { world, page } = await recordWords(6);
    await world.clock.until(() => page.view.saveState === "saved");
    page.lecture.editSummary("Mine.");
    world.server.hold("updateLecture");
    const startedAt = world.clock.now();
    await page.finish(page.lecture.saveSummary());
    expect(world.clock.now() - startedAt).toBe(30_000);
    expect(page.kinds.at(-1)).toBe("summaryNotSaved");
    expect(page.lecture.summary.get()).toMatchObject({ draft: "Mine.", state: "idle" });
  });

  test("is saved with its lecture, and waits with one that is left", async () => {
    const { world, page } = await recordWords(6);
    await world.server.createLecture({ id: "other", title: "Other", targetLanguage: "none" });
    page.lecture.editSummary("Mine.");
    await page.load("other");
    await world.clock.advance(60_000);
    expect(world.lecture()?.summary).toBeNull();
    expect(page.session.hasUnsavedChanges()).toBe(true);
    await page.load("lecture-1");
    expect(page.lecture.summary.get()).toMatchObject({ text: "", draft: "Mine." });
    await page.save("Greek");
    expect(page.kinds.at(-1)).toBe("lectureSaved");
    expect(world.lecture()?.summary).toBe("Mine.");
    expect(page.session.hasUnsavedChanges()).toBe(false);
  });

  test("of a guest stays on the page", async () => {
    const { world } = openPage();
    const guest = world.page({ identity: "guest" });
    guest.lecture.editSummary("Mine.");
    expect(await guest.lecture.saveSummary()).toBe(true);
    expect(guest.lecture.summary.get()).toEqual({ text: "Mine.", draft: null, state: "idle" });
  });
});
