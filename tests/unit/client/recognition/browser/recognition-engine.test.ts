import { beforeEach, expect, it, vi } from "vitest";
import {
  findLanguagePack,
  installLanguagePack,
  prepareRecognition,
} from "#client/recognition/browser/recognition-engine.ts";
import type {
  EngineAvailability,
  LanguagePackOptions,
  SpeechRecognitionConstructor,
} from "#client/recognition/browser/web-speech.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

const clock = new ManualClock();
/** The tags of packs that the browser has. */
let packs: string[];

const Recognition = Object.assign(
  class {
    lang = "";
    processLocally = false;
  },
  {
    available: async ({ langs }: { langs: string[] }) =>
      langs.every((tag) => packs.includes(tag)) ? "available" : "downloadable",
  },
) as unknown as SpeechRecognitionConstructor;

beforeEach(() => {
  packs = ["en-US"];
  vi.stubGlobal("navigator", { userAgent: "" });
});

const prepare = (
  language: "en" | "ja" | "pt" | "cy" | "detect",
  secondLanguage: "de" | null = null,
) => prepareRecognition(clock, { language, secondLanguage }, Recognition);

it.each([
  ["en", "en-US", true],
  ["ja", "ja-JP", false],
  ["pt", "pt-BR", false],
] as const)("recognises %s as %s", async (language, tag, isLocal) => {
  const engine = await prepare(language);
  expect(engine?.language).toBe(language);
  expect(engine?.create([])).toMatchObject({ lang: tag, processLocally: isLocal });
});

it.each([
  ["refuses what is no track", true],
  ["ignores its track", false],
])("hears more than the microphone only where the browser %s", async (_, knowsTracks) => {
  const abort = vi.fn();
  const Constructor = class {
    start(track?: unknown) {
      if (knowsTracks && track !== undefined) throw new TypeError("not of type MediaStreamTrack");
    }
    abort = abort;
  } as unknown as SpeechRecognitionConstructor;
  const spoken = { language: "en", secondLanguage: null } as const;
  const engine = await prepareRecognition(clock, spoken, Constructor, true);
  expect(engine?.language).toBe(knowsTracks ? "en" : null);
  expect(engine?.failure).toBe(knowsTracks ? undefined : "onlyMicrophone");
  expect(abort).toHaveBeenCalledTimes(knowsTracks ? 0 : 1);
});

it("tells the terms only to an engine on this device that takes phrases", async () => {
  class Phrase {
    constructor(
      readonly phrase: string,
      readonly boost: number,
    ) {}
  }
  vi.stubGlobal("SpeechRecognitionPhrase", Phrase);
  const withPhrases = Object.assign(
    class {
      phrases: readonly Phrase[] = [];
    },
    { available: async () => (packs.length > 0 ? "available" : "downloadable") },
  ) as unknown as SpeechRecognitionConstructor;
  const create = async (Constructor = withPhrases) => {
    const spoken = { language: "en", secondLanguage: null } as const;
    return (await prepareRecognition(clock, spoken, Constructor))?.create(["entropy"]);
  };
  expect((await create())?.phrases).toEqual([{ phrase: "entropy", boost: 3 }]);
  expect(await create(Recognition)).not.toHaveProperty("phrases");
  packs = [];
  expect((await create())?.phrases).toEqual([]);
  vi.stubGlobal("SpeechRecognitionPhrase", undefined);
  packs = ["en-US"];
  expect((await create())?.phrases).toEqual([]);
});

it("uses the language pack of the language", async () => {
  packs = ["ja-JP"];
  expect((await prepare("ja"))?.create([]).processLocally).toBe(true);
  expect((await prepare("en"))?.create([]).processLocally).toBe(false);
  expect(await findLanguagePack(clock, "ja", Recognition)).toEqual({
    state: "available",
    quality: null,
  });
});

it.each([
  [
    "the better one",
    { conversation: "available", dictation: "available" },
    "available",
    "conversation",
  ],
  [
    "what is there",
    { conversation: "downloadable", dictation: "available" },
    "available",
    "dictation",
  ],
  [
    "a download that goes on",
    { conversation: "downloadable", dictation: "downloading" },
    "downloading",
    "dictation",
  ],
  [
    "the better download",
    { conversation: "downloadable", dictation: "downloadable" },
    "downloadable",
    "conversation",
  ],
  [
    "what the device can run",
    { conversation: "unavailable", dictation: "downloadable" },
    "downloadable",
    "dictation",
  ],
  ["nothing that only knows commands", { command: "available" }, "unavailable", "conversation"],
] as const)("finds of the packs' qualities %s", async (_, states, state, quality) => {
  const available = async (options: LanguagePackOptions) =>
    (states as Record<string, EngineAvailability>)[options.quality ?? "command"] ?? "unavailable";
  const Constructor = Object.assign(class {}, { available }) as never;
  expect(await findLanguagePack(clock, "en", Constructor)).toEqual({ state, quality });
});

it("downloads the quality that was found", async () => {
  const install = vi.fn(async () => true);
  vi.stubGlobal("webkitSpeechRecognition", { install });
  expect(await installLanguagePack("ja", "dictation")).toBe(true);
  expect(install).toHaveBeenCalledWith({
    langs: ["ja-JP"],
    processLocally: true,
    quality: "dictation",
  });
});

it("knows neither a language without recognition nor several at once", async () => {
  expect((await prepare("cy"))?.language).toBeNull();
  expect((await prepare("detect"))?.language).toBeNull();
  expect((await prepare("en", "de"))?.language).toBeNull();
  expect(
    await prepareRecognition(clock, { language: "en", secondLanguage: null }, null),
  ).toBeNull();
});
