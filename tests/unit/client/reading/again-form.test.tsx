// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { gapMessages } from "#client/i18n/gaps/index.ts";
import { RecordedTakes } from "#client/lecture/recorded-takes.ts";
import AgainForm from "#client/reading/again-form.tsx";
import { againMessages } from "#client/reading/again-messages/index.ts";
import { passUndo } from "#client/reading/reading-state.ts";
import type { KeptPart } from "#client/recorder/again/kept-parts.ts";
import { NotRecognizedError, type RecognizedSound } from "#client/recorder/again/recognize-kept.ts";
import type { HeardWords } from "#client/recorder/again/replace-rows.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { SavedRows, SaveRowsInput } from "#shared/lecture.ts";
import { noSubscription } from "#shared/plans.ts";
import type { Gap, RecordedTake, StoreTakesInput } from "#shared/recorded-take.ts";
import {
  click,
  collectToasts,
  find,
  findButton,
  settle,
  show,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { createLectureInfo } from "#tests/unit/client/kit/recording.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";

const { recognizeKept, listKept, list } = vi.hoisted(() => ({
  recognizeKept: vi.fn<(deps: { parts: readonly KeptPart[] }) => Promise<RecognizedSound>>(),
  listKept: vi.fn<() => Promise<unknown[]>>(),
  list: vi.fn<() => Promise<unknown[]>>(),
}));
vi.mock("#client/recorder/again/recognize-kept.ts", async (load) => ({
  ...(await load<object>()),
  recognizeKept,
}));
vi.mock("#client/recorder/browser-ports.ts", () => ({
  browserPorts: () => ({
    tabId: "tab",
    newId: () => crypto.randomUUID(),
    loadLivePath: async () => ({ openStorage: () => ({ listKept, list }) }),
    page: { onWake() {}, onHide() {} },
  }),
}));

beforeAll(() => Promise.all([showLanguage("en"), againMessages.load(), gapMessages.load()]));
beforeEach(() => {
  queryClient.clear();
  recognizeKept.mockReset();
  passUndo.set(null);
  listKept.mockResolvedValue([kept]);
  list.mockResolvedValue([]);
});
const toasts = collectToasts();

/** Ten seconds of sound, from the beginning of the lecture on. */
const kept = {
  id: "take",
  lectureId: "one",
  codec: "pcm_s16le",
  nextSeq: 39,
  bytes: 1,
  createdAt: 0,
  placements: [{ fromMs: 0, offsetMs: 0 }],
};

/** What became of its sound. */
const report: RecordedTake = {
  id: "take",
  startedAt: 0,
  codec: "pcm_s16le",
  gaps: [],
  missingMs: 0,
  capturedMs: 9_984,
  acknowledgedMs: 9_984,
  transcribedMs: 9_984,
};
const noWords = (atMs: number, lengthMs: number): Gap => ({ atMs, lengthMs, reason: "noWords" });

const words: HeardWords[] = [
  {
    kind: "words",
    batch: {
      type: "tokens",
      tokens: [{ text: "Heard again.", is_final: true, start_ms: 100, end_ms: 900 }],
      audio_final_proc_ms: 900,
      audio_total_proc_ms: 900,
    },
    languages: { language: "en", secondLanguage: null },
    diarization: false,
  },
];

function createServer(answers: Record<string, (input: never) => unknown> = {}) {
  return fakeServer({
    "site.info": () => ({
      standIns: { speech: false, llm: false, mail: false, payments: false },
      isDemoDefault: false,
      recognizer: "soniox",
    }),
    "subscriptions.check": () => ({ ...noSubscription, hourLimit: 10 }),
    "lectures.get": () => ({ id: "one", entries: [], seq: 1, nextCursor: null }),
    "marks.list": () => ({ items: [], nextCursor: null }),
    "takes.list": () => ({ items: [], nextCursor: null }),
    "shares.get": () => null,
    ...answers,
  });
}

const isDisabled = () => findButton("Recognize")?.hasAttribute("disabled");
const isStartable = () => expect(isDisabled()).toBe(false);

const saved: SavedRows = { seq: 2, changed: [], deletedIds: [], ordinals: {} };

/** The form for a finished lecture of 20 sentences, one a second. */
async function open(answers?: Parameters<typeof createServer>[0], gaps: readonly Gap[] = []) {
  signIn();
  const server = createServer(answers);
  const { session } = recordingWith(20);
  session.view.set({ ...session.view.get(), status: "paused", lecture: createLectureInfo() });
  session.saveNow.mockResolvedValue(true);
  session.listStoredRows.mockReturnValue(
    session.transcript.rows().map((row) => ({ ...row, seq: 1 })),
  );
  const recorded = new RecordedTakes([{ ...report, gaps: [...gaps] }], true);
  const setLanguages = vi.fn();
  await show(<AgainForm lecture={{ ...session, recorded, setLanguages }} onClose={() => {}} />);
  return { session, setLanguages, ...server };
}

describe("Recognize again", () => {
  it("says what it costs, and replaces the rows with one call once all words are there", async () => {
    let finish = (_: RecognizedSound) => {};
    recognizeKept.mockImplementation(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const sent: SaveRowsInput[] = [];
    const { session } = await open({
      "lectures.saveRows": (input: SaveRowsInput) => {
        sent.push(input);
        return saved;
      },
    });
    await settle(isStartable);
    expect(document.body.textContent).toContain("it uses up to 0:09 of your hours");
    await click("Recognize");
    await waitForText("0:00 of 0:09");
    expect(sent).toEqual([]);
    await act(async () => finish({ words, wordless: new Map() }));
    await settle(() => expect(toasts.at(-1)?.title).toBe("1 sentence recognized"));
    const rows = session.listStoredRows();
    expect(sent).toMatchObject([
      {
        lectureId: "one",
        entries: [{ original: "Heard again.", translated: "", seq: 0, ordinal: 20 }],
        // Of ten seconds of sound.
        deleted: rows.slice(0, 3).map(({ id, seq }) => ({ id, seq })),
      },
    ]);
    // Before, so that nothing of other devices is missing, and afterwards.
    expect(session.updateFrom).toHaveBeenCalledTimes(2);
    expect(passUndo.get()).toMatchObject({ of: "again", lectureId: "one" });
  });

  it.each<[string, () => void, string]>([
    [
      "the sound is not recognised",
      () =>
        recognizeKept.mockRejectedValue(
          new NotRecognizedError({ kind: "refused", code: "allowance_exhausted", message: "" }),
        ),
      "all your hours",
    ],
    [
      "there are no words",
      () => recognizeKept.mockResolvedValue({ words: [], wordless: new Map() }),
      "No words were found",
    ],
    [
      "this device has no model",
      () =>
        recognizeKept.mockRejectedValue(
          new NotRecognizedError({ engine: "device", reason: "modelMissing" }),
        ),
      "no model for speech",
    ],
  ])("changes nothing and says why if %s", async (_, prepare, text) => {
    prepare();
    const { calls } = await open();
    await settle(isStartable);
    await click("Recognize");
    await settle(() => expect(toasts.at(-1)?.description).toContain(text));
    expect(calls).not.toContain("lectures.saveRows");
  });

  it("says so if the text was changed elsewhere", async () => {
    recognizeKept.mockResolvedValue({ words, wordless: new Map() });
    await open({ "lectures.saveRows": () => new Refusal("conflict") });
    await settle(isStartable);
    await click("Recognize");
    await settle(() => expect(toasts.at(-1)?.description).toContain("changed elsewhere"));
  });

  it.each([
    ["no sound is kept", () => listKept.mockResolvedValue([]), "keeps no sound"],
    ["some was not recognised yet", () => list.mockResolvedValue([kept]), "still waits"],
    [
      "the sound cannot be read",
      () => listKept.mockRejectedValue(new Error()),
      "could not be read",
    ],
  ])("cannot begin if %s", async (_, prepare, text) => {
    prepare();
    await open();
    await waitForText(text);
    expect(isDisabled()).toBe(true);
  });

  it("says before that a shared lecture keeps its text", async () => {
    await open({ "shares.get": () => ({ id: "share" }) });
    await waitForText("Others may read this lecture along");
    expect(isDisabled()).toBe(true);
    expect(recognizeKept).not.toHaveBeenCalled();
  });

  it("cannot begin if fewer hours are left, but on this device", async () => {
    await open({
      "subscriptions.check": () => ({ ...noSubscription, hourLimit: 1, timeUsedThisMonth: 3_595 }),
    });
    await waitForText("0:05 of your hours are left");
    expect(isDisabled()).toBe(true);
    await act(async () => (await find("label", "This device")).querySelector("input")?.click());
    expect(document.body.textContent).toContain("This costs no hours");
    isStartable();
  });
});

describe("Recognize again what was not recognized", () => {
  const gaps = [
    noWords(3_000, 1_000),
    noWords(7_100, 900),
    { atMs: 0, lengthMs: 1_000, reason: "muted" },
  ] as const;
  /** Said in the first gap. */
  const found: HeardWords[] = [
    {
      kind: "words",
      batch: {
        type: "tokens",
        tokens: [
          { text: "Row.", is_final: true, start_ms: 100, end_ms: 800 },
          { text: " Found.", is_final: true, start_ms: 3_300, end_ms: 3_600 },
        ],
        audio_final_proc_ms: 3_600,
        audio_total_proc_ms: 3_600,
      },
      languages: { language: "en", secondLanguage: null },
      diarization: false,
    },
  ];

  it("says which parts these are, and has only their sound recognised", async () => {
    const sent: SaveRowsInput[] = [];
    const takes: StoreTakesInput[] = [];
    recognizeKept.mockResolvedValue({ words: found, wordless: new Map([["take", []]]) });
    const { session, setLanguages } = await open(
      {
        "lectures.saveRows": (input: SaveRowsInput) => {
          sent.push(input);
          return saved;
        },
        "takes.store": (input: StoreTakesInput) => void takes.push(input),
      },
      gaps,
    );
    await waitForText("Not recognized: 0:03–0:04, 0:07–0:08.");
    await settle(isStartable);
    await click("Recognize");
    await settle(() => expect(toasts.at(-1)?.title).toBe("1 sentence recognized"));
    expect(toasts.at(-1)?.description).toBe("Still not recognized: 0:07–0:08");
    const [{ parts } = { parts: [] }] = recognizeKept.mock.calls[0] ?? [];
    expect(parts).toMatchObject([
      { fromSeq: 7, toSeq: 20 },
      { fromSeq: 23, toSeq: 36 },
    ]);
    expect(sent).toMatchObject([{ entries: [{ original: "Found." }], deleted: [] }]);
    expect(takes).toMatchObject([{ takes: [{ id: "take" }] }]);
    expect(takes[0]?.takes[0]?.gaps).toEqual([gaps[2], gaps[1]]);
    // The lecture's language stays.
    expect(setLanguages).not.toHaveBeenCalled();

    await act(async () => passUndo.get()?.undo(session));
    await settle(() => expect(takes).toHaveLength(2));
    expect(takes[1]?.takes[0]?.gaps).toEqual(gaps);
  });

  it("says so where nothing is found again, and changes no row", async () => {
    recognizeKept.mockResolvedValue({ words: [], wordless: new Map([["take", []]]) });
    const { calls } = await open({ "takes.store": () => undefined }, gaps);
    await settle(isStartable);
    await click("Recognize");
    await settle(() =>
      expect(toasts.at(-1)).toMatchObject({
        title: "Nothing was recognized this time either",
        description: "Still not recognized: 0:03–0:04, 0:07–0:08",
      }),
    );
    expect(calls).not.toContain("lectures.saveRows");
    expect(passUndo.get()).toBeNull();
  });

  it("is one of two choices", async () => {
    recognizeKept.mockResolvedValue({ words, wordless: new Map([["take", []]]) });
    await open({ "lectures.saveRows": () => saved, "takes.store": () => undefined }, gaps);
    await waitForText("Not recognized:");
    await act(async () => (await find("label", "All")).querySelector("input")?.click());
    expect(document.body.textContent).toContain("The sound of this lecture that this device keeps");
    await settle(isStartable);
    await click("Recognize");
    await settle(() => expect(recognizeKept).toHaveBeenCalledOnce());
    expect(recognizeKept.mock.calls[0]?.[0].parts).toMatchObject([{ fromSeq: 0, toSeq: 39 }]);
  });

  it("is no choice where that sound is not kept", async () => {
    await open({}, [noWords(60_000, 1_000)]);
    await settle(isStartable);
    expect(document.body.textContent).not.toContain("Not recognized");
  });
});
