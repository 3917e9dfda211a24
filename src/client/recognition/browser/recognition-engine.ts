import type { Clock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { TakeLanguages } from "#client/sound/takes/take-languages.ts";
import { canRecognize, toBrowserTag } from "#shared/engine-languages.ts";
import { defaultSourceLanguage, type SpokenLanguage } from "#shared/languages.ts";
import {
  type EngineAvailability,
  getPhraseConstructor,
  getSpeechRecognition,
  type LanguagePackOptions,
  type PackQuality,
  type RecognitionFailure,
  type SpeechRecognition,
  type SpeechRecognitionConstructor,
} from "./web-speech.ts";

/** The browser's recognition, set up for lectures in one language. */
export interface RecognitionEngine {
  /** Null: it cannot be used. */
  readonly language: SpokenLanguage | null;
  /** Why it cannot; without it, because it does not know the lecture's language, or the lecture has several. */
  readonly failure?: RecognitionFailure;
  /** The engine opens the microphone itself, and a second capture would silence it. */
  readonly opensMicrophone: boolean;
  /** `terms`: what is more likely to be said, for browsers that can be told. */
  create(terms: readonly string[]): SpeechRecognition;
}

/** With which speech can be recognised without sending audio to the browser's maker. */
export interface LanguagePack {
  state: EngineAvailability;
  /** Null: the browser does not tell. */
  quality: PackQuality | null;
}

const toPack = (language: SpokenLanguage, quality: PackQuality | null): LanguagePackOptions => ({
  langs: [toBrowserTag(language)],
  processLocally: true,
  ...(quality && { quality }),
});
const answerTimeoutMs = 3_000;

/**
 * The engine, with its language pack where that is installed. Null where the browser has none. `needsTrack`: what is
 * recorded is not the microphone alone, so an engine that hears nothing else would write other words.
 */
export async function prepareRecognition(
  clock: Clock,
  { language: spoken, secondLanguage }: TakeLanguages,
  Recognition: SpeechRecognitionConstructor | null = getSpeechRecognition(),
  needsTrack = false,
): Promise<RecognitionEngine | null> {
  if (Recognition === null) return null;
  const isKnown = canRecognize("browser", spoken, secondLanguage ?? undefined);
  const isDeaf = needsTrack && !hearsTracks(Recognition);
  const language = isKnown && !isDeaf && spoken !== "detect" ? spoken : null;
  const code = language ?? defaultSourceLanguage;
  const isLocal = (await findLanguagePack(clock, code, Recognition)).state === "available";
  return {
    language,
    ...(isDeaf && { failure: "onlyMicrophone" }),
    opensMicrophone: /Android/i.test(navigator.userAgent),
    create(terms) {
      const recognition = new Recognition();
      recognition.lang = toBrowserTag(code);
      recognition.continuous = true;
      recognition.interimResults = true;
      if (isLocal) recognition.processLocally = true;
      if ("unspokenPunctuation" in recognition) recognition.unspokenPunctuation = true;
      if (isLocal) setPhrases(recognition, terms);
      return recognition;
    },
  };
}

/** A browser that does not know `start(track)` ignores the track and opens its microphone; others refuse this one. */
function hearsTracks(Recognition: SpeechRecognitionConstructor): boolean {
  const probe = new Recognition();
  try {
    probe.start({} as MediaStreamTrack);
  } catch (error) {
    return error instanceof TypeError;
  }
  probe.abort();
  return false;
}

/** A phrase is e³, twenty times, more likely than the engine knows. Chromium allows 0 to 10. */
const phraseBoost = 3;

/** Only an engine on this device takes phrases: a service fails with `phrases-not-supported`. */
function setPhrases(recognition: SpeechRecognition, terms: readonly string[]): void {
  const Phrase = getPhraseConstructor();
  if (Phrase === undefined || !("phrases" in recognition) || terms.length === 0) return;
  try {
    recognition.phrases = terms.map((term) => new Phrase(term, phraseBoost));
  } catch {
    // A language pack without them. The session recognises all the same.
  }
}

/** Better ones first. A pack that must still be downloaded comes after one that is there. */
const qualities: readonly PackQuality[] = ["conversation", "dictation"];
const usableStates: readonly EngineAvailability[] = ["available", "downloading", "downloadable"];

/** The best language pack that the browser has or can download. Never rejects. */
export async function findLanguagePack(
  clock: Clock,
  language: SpokenLanguage,
  Recognition: SpeechRecognitionConstructor | null = getSpeechRecognition(),
): Promise<LanguagePack> {
  const ask = async (options: LanguagePackOptions) =>
    (await Recognition?.available?.(options)) ?? "unavailable";
  const find = async (): Promise<LanguagePack> => {
    let isQualityRead = false;
    const first = await ask({
      ...toPack(language, null),
      get quality() {
        isQualityRead = true;
        return qualities[0];
      },
    });
    if (!isQualityRead) return { state: first, quality: null };
    const others = qualities.slice(1).map((quality) => ask(toPack(language, quality)));
    const states = [first, ...(await Promise.all(others))];
    const state = usableStates.find((usable) => states.includes(usable)) ?? "unavailable";
    return { state, quality: qualities[states.indexOf(state)] ?? null };
  };
  return withTimeout(clock, answerTimeoutMs, find).catch(() => ({
    state: "unavailable",
    quality: null,
  }));
}

/** Downloads the language pack. False when that fails. */
export async function installLanguagePack(
  language: SpokenLanguage,
  quality: PackQuality | null,
): Promise<boolean> {
  try {
    return (await getSpeechRecognition()?.install?.(toPack(language, quality))) ?? false;
  } catch {
    return false;
  }
}
