// @vitest-environment happy-dom
import { act, createRef, type RefObject } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { Signal } from "#client/lib/observable.ts";
import { correctedRow } from "#client/reading/reading-state.ts";
import { termMessages } from "#client/reading/terms/messages/index.ts";
import { TermTools } from "#client/reading/terms/term-tools.tsx";
import { queryClient } from "#client/state/queries.tsx";
import type { GlossaryTerm } from "#shared/glossary.ts";
import {
  click,
  collectToasts,
  find,
  findButton,
  press,
  settle,
  show,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";
import { createRow } from "#tests/unit/client/kit/rows.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

const mitosis: GlossaryTerm = {
  id: crypto.randomUUID(),
  folderId: null,
  language: "en",
  term: "sentence",
  translations: { "zh-cn": "句子" },
  note: "In grammar",
  position: 0,
  isLeftOut: false,
  origin: { kind: "person", name: "" },
};
const toasts = collectToasts();
let page: RefObject<HTMLElement | null>;
let terms: Signal<readonly GlossaryTerm[]>;
const info = { standIns: { llm: false }, isDemoDefault: false };
const answers = {
  "site.info": () => info,
  "folders.list": () => ({ folders: [], total: 1, uncategorized: 1 }),
  "glossary.get": () => ({ folderIds: [null], terms: terms.get() }),
  "glossary.change": () => null,
};

beforeAll(() => Promise.all([showLanguage("en"), termMessages.load()]));
beforeEach(() => {
  queryClient.clear();
  window.getSelection()?.removeAllRanges();
  page = createRef();
  terms = new Signal<readonly GlossaryTerm[]>([]);
});

async function open({ signedIn = true } = {}) {
  const { session } = recordingWith(3);
  const view = new Signal({ ...session.view.get(), targetLanguage: "zh-cn" as const });
  const lecture = { ...session, view, terms };
  await show(
    <>
      <Surface lecture={lecture} page={page} />
      <TermTools lecture={lecture} page={page} signedIn={signedIn} />
    </>,
  );
  await waitForRows();
}

/** Selects `words` in the text number `index` of row 1. */
const select = (words: string, index = 0) =>
  act(async () => {
    const paragraph = findRow(1)?.querySelectorAll("p")[index];
    const text = [...(paragraph?.childNodes ?? [])].find((node) => node instanceof Text);
    const from = text?.data.indexOf(words) ?? -1;
    if (!text || from < 0) throw new Error(`No ${words}`);
    window.getSelection()?.setBaseAndExtent(text, from, text, from + words.length);
    document.dispatchEvent(new Event("selectionchange"));
  });
const bar = () => document.querySelector("[role=toolbar]");
const card = () => document.querySelector("[role=dialog]");
const field = (label: string) => {
  const element = [...document.querySelectorAll("label")].find(
    ({ textContent }) => textContent === label,
  );
  return document.getElementById(element?.htmlFor ?? "") as HTMLInputElement | null;
};

it("offers both for selected words, the look-up alone to a guest, and nothing without words", async () => {
  await open();
  expect(bar()).toBeNull();
  await select("Sentence");
  expect(bar()?.textContent).toBe("Add to glossaryLook up");
  await press("Escape");
  await act(async () => document.dispatchEvent(new Event("selectionchange")));
  expect(bar()).toBeNull();

  await open({ signedIn: false });
  await select("Sentence");
  expect(bar()?.textContent).toBe("Look up");
});

it("shows the meaning in the sentence, and what the glossary has at once", async () => {
  terms.set([mitosis]);
  let answer = (_: unknown) => {};
  const { sent } = fakeServer({
    ...answers,
    "ai.lookUp": () => new Promise((resolve) => (answer = resolve)),
  });
  await open();
  await select("Sentence");
  await click("Look up");
  expect(card()?.textContent).toContain("In the glossary句子In grammar");
  await settle(() =>
    expect(sent).toContainEqual({
      0: {
        words: "Sentence",
        sentence: "Sentence 1.",
        language: "en",
        translateInto: "zh-cn",
        explainIn: "zh-cn",
        wordContext: "",
      },
    }),
  );
  answer({ meaning: "一个语法单位。", translation: "句" });
  await waitForText("一个语法单位。");
  await press("Escape");
  expect(card()).toBeNull();
});

it("tells a failure in the card, and tries again", async () => {
  let isBroken = true;
  fakeServer({
    ...answers,
    "ai.lookUp": () =>
      isBroken ? new Refusal("llm_failed") : { meaning: "一个语法单位。", translation: "句" },
  });
  await open();
  await select("Sentence");
  await press("l");
  const retry = await find("[role=dialog] button", "Try again");
  isBroken = false;
  await act(async () => retry.click());
  await waitForText("一个语法单位。");
});

it("only says that a meaning needs the model where that is a demo nobody chose", async () => {
  const { calls } = fakeServer({
    ...answers,
    "site.info": () => ({ ...info, standIns: { llm: true } }),
  });
  await open();
  await select("Sentence");
  await click("Look up");
  await waitForText("A meaning needs this site’s language model");
  expect(calls).not.toContain("ai.lookUp");
});

it("adds a term with the translation that was found, and undoes it", async () => {
  const { sent } = fakeServer({
    ...answers,
    "ai.lookUp": () => ({ meaning: "一个语法单位。", translation: "句子" }),
  });
  await open();
  await select("Sentence");
  await press("g");
  await settle(() => expect(field("Translation (Simplified Chinese)")?.value).toBe("句子"));
  expect(field("Term (English)")?.value).toBe("Sentence");
  await type(field("Term (English)"), "sentence");
  await type(field("Note (optional)"), "In grammar");
  await click("Add", "[role=dialog] button");
  await settle(() => expect(card()).toBeNull());
  const isChange = (body: unknown) => JSON.stringify(body).includes('"changes"');
  const [added] = sent.filter(isChange) as { 0: { changes: { id: string }[] } }[];
  expect(added?.[0]).toMatchObject({
    folderId: null,
    changes: [
      {
        language: "en",
        term: "sentence",
        note: "In grammar",
        translations: { "zh-cn": "句子" },
        origin: { kind: "lecture" },
      },
    ],
  });
  const toast = toasts.at(-1);
  expect(toast?.title).toBe("“sentence” is in the glossary");
  await act(async () => toast?.action?.run());
  await settle(() => expect(sent.filter(isChange)).toHaveLength(2));
  expect(sent.filter(isChange)[1]).toEqual({
    0: { folderId: null, changes: [{ id: added?.[0].changes[0]?.id, isDeleted: true }] },
  });
});

it("keeps what was typed when the glossary refuses it, and says why", async () => {
  fakeServer({
    ...answers,
    "ai.lookUp": () => ({ meaning: "一个语法单位。", translation: "句子" }),
    "glossary.change": () => new Refusal("glossary_full"),
  });
  await open();
  await select("Sentence");
  await click("Add to glossary");
  await click("Add", "[role=dialog] button");
  await settle(() => expect(document.querySelector("[role=alert]")?.textContent).not.toBe(""));
  expect(field("Term (English)")?.value).toBe("Sentence");
  expect(toasts).toEqual([]);
});

it("takes words of the translation as the translation, and opens a term that exists", async () => {
  terms.set([mitosis]);
  fakeServer(answers);
  await open();
  await select("句", 1);
  await act(async () => terms.set([{ ...mitosis, translations: { "zh-cn": "句" } }]));
  await click("Add to glossary");
  expect(card()?.getAttribute("aria-label")).toBe("Change term");
  expect(field("Term (English)")?.value).toBe("sentence");
  expect(field("Translation (Simplified Chinese)")?.value).toBe("句");
  expect(field("Note (optional)")?.value).toBe("In grammar");
});

const correct = (from: string, to: string) =>
  act(async () => {
    correctedRow.set({
      before: createRow({ position: 1, original: `Cells divide by ${from}.` }),
      after: { original: `Cells divide by ${to}.`, translated: "一二。" },
    });
    // What the page loads for it.
    await import("#client/lib/frequency/common-words.ts");
  });

it("offers a corrected term once, and opens the card only when the person wants it", async () => {
  fakeServer({ ...answers, "ai.lookUp": () => ({ meaning: "…x", translation: "有丝分裂" }) });
  await open();
  await correct("my toes is", "mitosis");
  expect(toasts).toMatchObject([{ title: "Corrected. Add “mitosis” to the glossary?" }]);
  expect(card()).toBeNull();
  await correct("my toes is", "mitosis");
  expect(toasts).toHaveLength(1);
  await act(async () => toasts[0]?.action?.run());
  expect(field("Term (English)")?.value).toBe("mitosis");
});

it("offers no term that the glossary has, nothing after other corrections, and nothing to a guest", async () => {
  terms.set([{ ...mitosis, term: "Meiosis" }]);
  await open();
  await correct("my o's is", "meiosis");
  await correct("them", "that one");
  await open({ signedIn: false });
  await correct("my toes", "prophase");
  expect(toasts).toEqual([]);
  expect(findButton("Add")).toBeUndefined();
});
