/** Constants of the specification's section 9 and of the relay. Units are in the names. */

export const chunkSamples = 4096;
/** Capture rate. 48 kHz would triple the messages and win the recogniser nothing. */
export const captureSampleRate = 16_000;

export const keepaliveMs = 15_000;
export const sentenceSweepMs = 6_000;
export const previewIntervalMs = 3_000;
export const previewMinLength = 5;
export const autoSaveDelayMs = 2_000;
export const reconnectDelayMs = 2_000;
export const reconnectPauseMs = 100;
export const audioResumeMs = 500;
export const audioGapWarningMs = 5_000;
export const stopWaitMs = 10_000;
export const saveWaitMs = 15_000;
export const autostartDelayMs = 500;
export const guestFlagDelayMs = 100;
export const subscriptionCheckMs = 300_000;
/** After a change of who is signed in. */
export const subscriptionDebounceMs = 1_000;

/** Words of the transcript that go along with a sentence as `Previous context:`. */
export const previousContextWords = 100;
export const lectureNameMaxLength = 26;
export const autoTitleLength = 50;
export const previewLength = 150;

export const passwordMinLength = 6;
/** Argon2 of a longer one would be work for an attacker to hand out. */
export const passwordMaxBytes = 4_096;

export const usageFlushIntervalMs = 15_000;

/** Largest relay frame that the room accepts, in bytes (a chunk as base64 is 10,924). */
export const relayFrameMaxBytes = 16_384;
/** Unacknowledged chunks that the browser keeps in flight (32 s, 1 MB); the rest waits in the spool. */
export const relaySendWindow = 128;
/** Unacknowledged chunks that the room holds before it refuses the client as too fast. */
export const relayRoomWindow = 192;

export const lecturePageSize = 50;
/** Folders of one user: the sidebar shows the whole tree. */
export const foldersMax = 2_000;
export const folderNameMaxLength = 200;
export const folderPageSize = 40;
/** How long a deleted lecture or folder can be brought back. */
export const trashRetentionMs = 30 * 86_400_000;
export const trashPageSize = 50;
export const searchPageSize = 20;
export const searchQueryMaxLength = 200;
export const entriesPerAppendMax = 500;
/** Rows of one lecture. Twelve hours of short sentences have 12,000. */
export const lectureRowsMax = 20_000;
/** Rows that make way for one that begins earlier: an hour of short sentences. */
export const rowsMovedMax = 1_000;
export const entryTextMaxLength = 20_000;
export const translateTextMaxLength = 5_000;
export const contextMaxLength = 10_000;
/** What a generated context may be long, in characters. */
export const generatedContextMaxLength = 300;
/** Text that a context is generated from: the beginning of a lecture, some 600 words. */
export const contextTextMaxLength = 4_000;
/** Text that a summary is made of: some ten hours of speech. */
export const summaryTextMaxLength = 600_000;
export const summaryMaxLength = 100_000;
export const speakerLabelMaxLength = 64;
export const speakerNameMaxLength = 40;
/** Speakers of one lecture that can be given names. */
export const speakerNamesMax = 50;

export const guestTicketLifetimeMs = 3_600_000;
/** How long after its end a guest's ticket still keeps its recording, when a new one is asked for. */
export const guestTicketGraceMs = 86_400_000;
/** A streamed answer that has nothing to say for so long sends a space, so that silence means a dead line. */
export const streamPingMs = 10_000;
/** Sound that may reach a room ahead of the clock: what the longest stall leaves behind … */
export const catchUpMs = 600_000;
/** … and at most what three hours of silence from a browser do. */
export const catchUpMaxMs = 10_800_000;
/** The user is told when so little of the allowance is left. */
export const allowanceLowMs = 300_000;
