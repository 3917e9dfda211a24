import type { Clock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import {
  type EngineAvailability,
  getSpeechRecognition,
  type SpeechRecognition,
  type SpeechRecognitionConstructor,
} from "./web-speech.ts";

/** The browser's recognition, set up for lectures. */
export interface RecognitionEngine {
  /** The engine opens the microphone itself, and a second capture would silence it. */
  readonly opensMicrophone: boolean;
  create(): SpeechRecognition;
}

const language = "en-US";
const packOptions = { langs: [language], processLocally: true };
const answerTimeoutMs = 3_000;

/** The engine, with its language pack where that is installed. Null where the browser has none. */
export async function prepareRecognition(
  clock: Clock,
  Recognition: SpeechRecognitionConstructor | null = getSpeechRecognition(),
): Promise<RecognitionEngine | null> {
  if (Recognition === null) return null;
  const isLocal = (await getLanguagePack(clock, Recognition)) === "available";
  return {
    opensMicrophone: /Android/i.test(navigator.userAgent),
    create() {
      const recognition = new Recognition();
      recognition.lang = language;
      recognition.continuous = true;
      recognition.interimResults = true;
      if (isLocal) recognition.processLocally = true;
      if ("unspokenPunctuation" in recognition) recognition.unspokenPunctuation = true;
      return recognition;
    },
  };
}

/** Whether speech can be recognised without sending audio to the browser's maker. Never rejects. */
export async function getLanguagePack(
  clock: Clock,
  Recognition: SpeechRecognitionConstructor | null = getSpeechRecognition(),
): Promise<EngineAvailability> {
  if (Recognition?.available === undefined) return "unavailable";
  const ask = async () => (await Recognition.available?.(packOptions)) ?? "unavailable";
  return withTimeout(clock, answerTimeoutMs, ask).catch(() => "unavailable");
}

/** Downloads the language pack. False when that fails. */
export async function installLanguagePack(
  Recognition: SpeechRecognitionConstructor | null = getSpeechRecognition(),
): Promise<boolean> {
  try {
    return (await Recognition?.install?.(packOptions)) ?? false;
  } catch {
    return false;
  }
}
