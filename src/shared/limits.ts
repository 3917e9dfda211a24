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

/** Words of the transcript that go along with a sentence as `Previous context:`. */
export const previousContextWords = 100;
export const lectureNameMaxLength = 26;
export const autoTitleLength = 50;
export const previewLength = 150;

export const passwordMinLength = 6;
/** Argon2 of a longer one would be work for an attacker to hand out. */
export const passwordMaxBytes = 4_096;

export const usageFlushMs = 15_000;

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
export const trashKeptMs = 30 * 86_400_000;
export const trashPageSize = 50;
export const searchPageSize = 20;
export const searchQueryMaxLength = 200;
export const entriesPerAppendMax = 500;
export const entryTextMaxLength = 20_000;
export const translateTextMaxLength = 5_000;
export const contextMaxLength = 10_000;

export const guestTicketLifetimeMs = 3_600_000;
/** How long after its end a guest's ticket still keeps its recording, when a new one is asked for. */
export const guestTicketGraceMs = 86_400_000;
/** What a guest may record under one recording id. */
export const guestLimitSeconds = 1_800;
