import * as z from "zod/mini";
import {
  sourceLanguages,
  spokenLanguages,
  targetLanguages,
  translationLanguages,
} from "./languages.ts";

/**
 * Live sharing: a lecture's owner creates a share, and everybody with its link reads along. `GET /api/shares?code=…`
 * is the readers' WebSocket, JSON text frames. The link's secret is a query parameter, because paths are logged.
 *
 * A reader sends its language, each `probe` back, and `sharePing` every `sharePingMs`; anything else closes its socket.
 * The server sends a `snapshot`, then a `delta` for what has changed, at most five a second. `src/shared/share-view.ts`
 * applies both.
 */

/** The link's secret: 128 random bits as base64url. Only its SHA-256 is stored. */
export const shareCodeBytes = 16;
export const shareCode = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));

/** `while_recording`: the share ends some time after the recording; `until_revoked`: when its owner ends it. */
export const shareModes = ["while_recording", "until_revoked"] as const;
export type ShareMode = (typeof shareModes)[number];

/** A share as its owner sees it (`shares.get`). The link is not stored, so only `create` and `renew` return it. */
export interface Share {
  id: string;
  lectureId: string;
  mode: ShareMode;
  /** Readers may copy and export the text, and keep it in their own library. */
  mayCopy: boolean;
  /** Readers see the lecture's slides: see `src/shared/slides.ts`. */
  showsSlides: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** Readers connected now. */
  readers: number;
  readersMax: number;
  /** Languages that are translated for readers at a time, besides the owner's. */
  languagesMax: number;
  /** Another plan allows more of both. */
  hasLargerPlan: boolean;
}

/** A new share with the secret of its link, `/live/<code>`. */
export interface CreatedShare extends Share {
  code: string;
}

/** A reader that was not heard for this long loses its place when another one needs it. */
export const shareSilenceMs = 100_000;
/** Deltas to a reader in any second. */
export const shareDeltasPerSecond = 5;

const count = z.int().check(z.nonnegative());
const milliseconds = z.number().check(z.nonnegative());
const language = z.enum(targetLanguages);

/**
 * The server's question whether a reader reads, and the reader's answer, which is the same message: it has read everything
 * before. Only for readers that have said that they answer (`shareProbesParam`).
 */
const probeMessage = z.strictObject({ type: z.literal("probe"), probe: z.string() });

export const shareClientMessage = z.discriminatedUnion("type", [
  /** The language that the reader wants to read, `none` for the original alone. */
  z.strictObject({ type: z.literal("language"), language }),
  probeMessage,
]);
export type ShareClientMessage = z.infer<typeof shareClientMessage>;

/** A sentence of the original. Replaces an earlier one at its position. Times are on the lecture's clock. */
const sharedRow = z.object({
  position: count,
  original: z.string(),
  spokenIn: z._default(z.enum(spokenLanguages), "en"),
  /** The provider's label; `names` of the lecture may have a name for it. */
  speaker: z.nullable(z.string()),
  startMs: milliseconds,
  endMs: milliseconds,
});
export type SharedRow = z.infer<typeof sharedRow>;

/** The translation of a row into the reader's language. */
const sharedTranslation = z.object({
  position: count,
  /** Null while it is awaited, also after a correction of the original. Empty: the original stands alone. */
  text: z.nullable(z.string()),
  /** No translation will come, unless the original is corrected. */
  hasFailed: z.optional(z.literal(true)),
});
export type SharedTranslation = z.infer<typeof sharedTranslation>;

const sharedLecture = z.object({
  title: z.string(),
  speakerNames: z.record(z.string(), z.string()),
  /** The owner's language. */
  targetLanguage: language,
  sourceLanguage: z._default(z.enum(sourceLanguages), "en"),
  isTwoWay: z._default(z.boolean(), false),
  mode: z.enum(shareModes),
  mayCopy: z.boolean(),
  /** Another value when its slides have changed; missing: it has none that readers may see. */
  slides: z.exactOptional(z.string()),
  /** Parts of the text are the demo voice's, so nobody said them. */
  hasDemoText: z.exactOptional(z.literal(true)),
  /** What the reader may choose now; others would exceed what the owner's plan translates. */
  languages: z.array(z.enum(translationLanguages)),
});
export type SharedLecture = z.infer<typeof sharedLecture>;

/** What is said after the last row. */
const sharedLiveLine = z.object({
  finalText: z.string(),
  /** May still change. */
  interimText: z.string(),
  spokenIn: z._default(z.enum(spokenLanguages), "en"),
  speaker: z.nullable(z.string()),
  startMs: milliseconds,
});
export type SharedLiveLine = z.infer<typeof sharedLiveLine>;

/**
 * `waiting`: nothing was said yet, or the recorder's connection was lost. `paused`: stopped, and may continue.
 * `finished`: the recording is over and saved; the text stays readable.
 */
const shareStatuses = ["waiting", "live", "paused", "finished"] as const;
export type ShareStatus = (typeof shareStatuses)[number];

/** 0 once nothing of what is there already is still to follow. A long text follows in deltas, as fast as it is read. */
const pagesLeft = count;

/** Everything but rows and translations; in a delta, what has changed. */
const parts = {
  lecture: sharedLecture,
  /** Markdown. */
  summary: z.nullable(z.string()),
  status: z.enum(shareStatuses),
  /** True: no further translations for readers today, because the owner's daily budget is used up. */
  isTranslationPaused: z.boolean(),
  live: z.nullable(sharedLiveLine),
};

/** Why a socket was closed for good. A link that never existed is `unknown`; `ended` does not say by whom or why. */
const shareEnds = ["unknown", "ended", "full", "rate_limited", "invalid"] as const;
export type ShareEnd = (typeof shareEnds)[number];

export const shareServerMessage = z.discriminatedUnion("type", [
  /** Replaces all that the reader has. Further rows of a long lecture follow in deltas. */
  z.object({
    type: z.literal("snapshot"),
    epoch: z.string(),
    /** The text is complete up to this change. */
    seq: count,
    /** Into which the translations are; `none` if the wanted one was refused. */
    language,
    isLanguageRefused: z.boolean(),
    pagesLeft,
    ...parts,
    rows: z.array(sharedRow),
    translations: z.array(sharedTranslation),
  }),
  /** The changes after `from` up to `to`. A reader that does not have exactly `from` has missed something. */
  z.object({
    type: z.literal("delta"),
    from: count,
    to: count,
    pagesLeft: z.exactOptional(pagesLeft),
    rows: z.exactOptional(z.array(sharedRow)),
    translations: z.exactOptional(z.array(sharedTranslation)),
    lecture: z.exactOptional(parts.lecture),
    summary: z.exactOptional(parts.summary),
    status: z.exactOptional(parts.status),
    isTranslationPaused: z.exactOptional(parts.isTranslationPaused),
    live: z.exactOptional(parts.live),
  }),
  /**
   * Answers `language`. Unless it is refused, the translations so far are obsolete, and those that exist in the new
   * language follow in deltas.
   */
  z.object({
    type: z.literal("language"),
    language,
    isLanguageRefused: z.boolean(),
    pagesLeft,
  }),
  probeMessage,
  /** The last message. The page connects again only after `full` and `rate_limited`, later and when asked to. */
  z.object({ type: z.literal("closed"), reason: z.enum(shareEnds) }),
]);
export type ShareServerMessage = z.infer<typeof shareServerMessage>;
export type ShareDelta = Extract<ShareServerMessage, { type: "delta" }>;
/** What changes the view of a reader. */
export type ShareViewMessage = Exclude<ShareServerMessage, { type: "probe" }>;

/**
 * Close code after `closed`. After any other code, such as `shareUnreadCode`, the reader connects again: with `epoch`
 * and `since` if it has everything up to there in the same language (`canResume`).
 */
export const shareClosedCode = 1008;
