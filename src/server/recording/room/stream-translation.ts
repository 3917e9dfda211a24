import { canTranslateInStream, type Recognizer } from "#shared/engine-languages.ts";
import { type SpokenLanguage, toSpokenLanguage, toTranslationLanguage } from "#shared/languages.ts";
import type { RelayConfig, RelayTranslation } from "#shared/relay.ts";
import type { ProviderToken, SessionProgress, StreamTranslation } from "./events.ts";
import {
  type AlignedToken,
  type Alignment,
  align,
  createAlignment,
  getTranslatedMs,
  mayBeTranslated,
} from "./translation-alignment.ts";

/** Translations that come in the provider's stream. A session that does not translate has no alignment. */

/** After the last words, translations are waited for so long, and when they seem to be whole. */
const waitMs = 4_000;
const wholeWaitMs = 500;
/** Sound that has words stays so long for its translation, which the next session is then asked for. */
const heldMs = 20_000;

/** What `config` wants of the provider; null: nothing, or it cannot do that. */
export function toStreamTranslation(
  recognizer: Recognizer,
  { language, secondLanguage, translateInto }: RelayConfig,
): StreamTranslation | null {
  if (translateInto === undefined || !canTranslateInStream(recognizer, language, translateInto))
    return null;
  const target = toSpokenLanguage(translateInto);
  return language !== "detect" && secondLanguage === target
    ? { type: "two_way", languages: [language, target] }
    : { type: "one_way", target };
}

const getTarget = (
  translation: StreamTranslation,
  spokenIn: SpokenLanguage,
): SpokenLanguage | null => {
  if (translation.type === "one_way")
    return translation.target === spokenIn ? null : translation.target;
  const [a, b] = translation.languages;
  return spokenIn === a ? b : spokenIn === b ? a : null;
};

export interface SessionTranslation {
  wanted: StreamTranslation;
  alignment: Alignment;
}

interface TranslatingSession {
  /** Null: it does not translate. */
  translation: SessionTranslation | null;
}

export const createSessionTranslation = (
  wanted: StreamTranslation,
  startMs: number,
  languages: readonly SpokenLanguage[],
): SessionTranslation => ({
  wanted,
  alignment: createAlignment(startMs, languages[0] ?? "en"),
});

interface TranslationInput {
  finalMs: number;
  processedMs: number;
  endpoint: boolean;
  diarization: boolean;
  identifiesLanguage: boolean;
  isLast: boolean;
  isEnd?: boolean;
}

/** The translations that a message of a session brings. */
export function translate(
  { wanted, alignment }: SessionTranslation,
  tokens: readonly AlignedToken[],
  input: TranslationInput,
): { translation: SessionTranslation; changes: RelayTranslation[] } {
  const { isEnd = false, ...rest } = input;
  const answer = align(alignment, {
    ...rest,
    isEnd,
    tokens,
    getTarget: (spokenIn) => getTarget(wanted, spokenIn),
  });
  const changes = answer.changes.flatMap(({ startMs, endMs, spokenIn, text, state }) => {
    const target = getTarget(wanted, spokenIn);
    if (target === null) return [];
    const language = toTranslationLanguage(target);
    return { start_ms: startMs, end_ms: endMs, text, language, state };
  });
  return { translation: { wanted, alignment: answer.alignment }, changes };
}

/** All words of a message on the lecture's clock, also those that an earlier session has given, and their translations. */
export function listAligned(
  { tokens }: SessionProgress,
  { startMs, lastFinalMs }: { startMs: number; lastFinalMs: number },
): AlignedToken[] {
  let previousMs = lastFinalMs;
  const toWord = ({ text, isFinal, speaker, language, ...token }: ProviderToken): AlignedToken => {
    const start_ms = token.startMs === null ? previousMs : Math.round(startMs + token.startMs);
    const end_ms =
      token.endMs === null ? start_ms : Math.max(start_ms, Math.round(startMs + token.endMs));
    previousMs = end_ms;
    return {
      kind: "word",
      isTranslated: token.translation === "original",
      token: {
        text,
        is_final: isFinal,
        start_ms,
        end_ms,
        ...(speaker !== null && { speaker }),
        ...(language && { language }),
      },
    };
  };
  return tokens.flatMap((token) => {
    const { text, isFinal, sourceLanguage = null } = token;
    if (token.translation === "translation")
      return { kind: "translation" as const, text, isFinal, sourceLanguage };
    return isMark(text) ? [] : toWord(token);
  });
}

const isMark = (text: string): boolean => text === "<end>" || text === "<fin>";

/** A sentence of the session has no translation yet, or a part of it. */
export const hasUntranslated = ({ translation }: TranslatingSession): boolean =>
  translation !== null &&
  (translation.alignment.rest.trim() !== "" || getTranslatedMs(translation.alignment) !== Infinity);

/** How long the session's last translations are waited for. */
export function getTranslationWaitMs({ translation }: TranslatingSession): number {
  if (translation === null) return 0;
  const { alignment, wanted } = translation;
  const spokenIn = alignment.entries.at(-1)?.spokenIn ?? alignment.pending.language;
  const target = getTarget(wanted, spokenIn);
  return target !== null && mayBeTranslated(alignment, target) ? wholeWaitMs : waitMs;
}

/** Up to here on the lecture's clock, what is final needs no other session. */
export function getCompleteMs({
  translation,
  finalMs,
}: TranslatingSession & { finalMs: number }): number {
  if (translation === null) return finalMs;
  return Math.min(finalMs, Math.max(getTranslatedMs(translation.alignment), finalMs - heldMs));
}
