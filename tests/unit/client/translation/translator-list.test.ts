import { expect, test } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import {
  NoTranslatorError,
  type Translator,
  TranslatorList,
} from "#client/translation/translator-list.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { createTranslator } from "#tests/unit/client/recorder/kit/manual-translator.ts";

/** Translators by name, in their order. */
function setUp(...names: string[]) {
  const clock = new ManualClock();
  const translators = names.map((name) => {
    const manual = createTranslator();
    const state: { value: ReturnType<Translator["getState"]> } = { value: "ready" };
    return { ...manual, name, state, getState: () => state.value };
  });
  const list = new TranslatorList({
    clock,
    log: { warn() {} },
    listTranslators: async () => translators,
  });
  const controller = new AbortController();
  const translate = (text: string) => {
    const answer: { text: string | null; error: unknown } = { text: null, error: null };
    const input = {
      text,
      sourceLanguage: "en",
      targetLanguage: "fr",
      context: "",
      wordContext: "",
    } as const;
    list.translate(input, controller.signal).then(
      (translated) => {
        answer.text = translated;
      },
      (error: unknown) => {
        answer.error = error;
      },
    );
    return answer;
  };
  return { clock, translators, translate, controller };
}

test("asks the first translator alone while it answers", async () => {
  const { clock, translators, translate } = setUp("one", "two");
  const [one, two] = translators;
  const answer = translate("Hello");
  await clock.advance(9_999);
  one?.calls[0]?.answer("Bonjour");
  await clock.advance(60_000);
  expect(answer.text).toBe("Bonjour");
  expect(two?.calls).toHaveLength(0);
  expect(clock.timers).toBe(0);
});

test("leaves a translator that does not answer for 10 s, and tries it last for a minute", async () => {
  const { clock, translators, translate } = setUp("one", "two");
  const [one, two] = translators;
  const first = translate("Hello");
  await clock.advance(10_000);
  two?.calls[0]?.answer("Salut");
  await clock.advance(0);
  expect(first.text).toBe("Salut");
  one?.calls[0]?.answer("Bonjour");
  await clock.advance(0);
  expect(first.text).toBe("Salut");
  const second = translate("Good-bye");
  await clock.advance(0);
  expect(one?.texts()).toEqual(["Hello"]);
  expect(two?.texts()).toEqual(["Hello", "Good-bye"]);
  two?.calls[1]?.fail(new ApiError("llm_failed", true));
  await clock.advance(0);
  one?.calls[1]?.answer("Au revoir");
  await clock.advance(60_000);
  expect(second.text).toBe("Au revoir");
  translate("Again");
  await clock.advance(0);
  expect(one?.texts()).toEqual(["Hello", "Good-bye", "Again"]);
});

test("asks the next one for a sentence that one cannot translate, and the first one for the others", async () => {
  const { clock, translators, translate } = setUp("one", "two");
  const [one, two] = translators;
  const answer = translate("Hello");
  await clock.advance(0);
  one?.calls[0]?.fail(new Error("cannot"));
  await clock.advance(0);
  two?.calls[0]?.answer("Bonjour");
  await clock.advance(0);
  expect(answer.text).toBe("Bonjour");
  translate("Again");
  await clock.advance(0);
  expect(one?.texts()).toEqual(["Hello", "Again"]);
});

test("leaves the last translator the caller's time", async () => {
  const { clock, translators, translate } = setUp("one");
  const answer = translate("Hello");
  await clock.advance(19_000);
  translators[0]?.calls[0]?.answer("Bonjour");
  await clock.advance(0);
  expect(answer.text).toBe("Bonjour");
});

test("asks no further translator once the caller has given up", async () => {
  const { clock, translators, translate, controller } = setUp("one", "two");
  const answer = translate("Hello");
  await clock.advance(0);
  controller.abort();
  await clock.advance(20_000);
  expect(answer.error).not.toBeNull();
  expect(translators[1]?.calls).toHaveLength(0);
});

test("says whether a translator may still come", async () => {
  const { clock, translators, translate } = setUp("one", "two");
  const [one, two] = translators;
  if (!one || !two) throw new Error("no translators");
  one.state.value = "preparing";
  two.state.value = "unavailable";
  const waiting = translate("Hello");
  await clock.advance(0);
  expect(waiting.error).toEqual(new ApiError("unavailable", true));
  expect(waiting.error).not.toBeInstanceOf(NoTranslatorError);
  one.state.value = "unavailable";
  const none = translate("Hello");
  await clock.advance(0);
  expect(none.error).toBeInstanceOf(NoTranslatorError);
});

test("reports a used-up budget only where nothing else was wrong", async () => {
  const { clock, translators, translate } = setUp("one", "two");
  const [one, two] = translators;
  const exhausted = new ApiError("site_budget_exhausted", true, { retryAfterSeconds: 600 });
  const mixed = translate("Hello");
  await clock.advance(0);
  one?.calls[0]?.fail(exhausted);
  await clock.advance(0);
  two?.calls[0]?.fail(new ApiError("llm_failed", true));
  await clock.advance(0);
  expect(mixed.error).toMatchObject({ code: "llm_failed" });
  const { clock: otherClock, translators: others, translate: translateAlone } = setUp("one");
  const alone = translateAlone("Hello");
  await otherClock.advance(0);
  others[0]?.calls[0]?.fail(exhausted);
  await otherClock.advance(0);
  expect(alone.error).toBe(exhausted);
});
