/** Times, lengths and limits of the product and of the relay. Units are in the names. */

export const chunkSamples = 4096;
/** Hz. A rate of 48 kHz would triple the messages without better recognition. */
export const captureSampleRate = 16_000;

export const keepaliveMs = 15_000;
export const sentenceSweepMs = 6_000;
export const previewIntervalMs = 3_000;
export const previewMinLength = 5;
export const autoSaveDelayMs = 2_000;
/** The same for a lecture that others read along. */
export const sharedSaveDelayMs = 500;
export const reconnectDelayMs = 2_000;
export const reconnectPauseMs = 100;
export const audioResumeMs = 500;
export const audioGapWarningMs = 5_000;
export const stopWaitMs = 10_000;
/** Longest wait of a stop for a recogniser that still answers within `stopWaitMs`. */
export const stopAnsweringMs = 60_000;
export const saveWaitMs = 15_000;
export const autostartDelayMs = 500;
export const guestFlagDelayMs = 100;
export const subscriptionCheckMs = 300_000;
/** Delay of the check after a sign-in or sign-out. */
export const subscriptionDebounceMs = 1_000;

/** Words of the transcript that are sent with a sentence as `Previous context:`. */
export const previousContextWords = 100;
export const lectureNameMaxLength = 26;
export const autoTitleLength = 50;
export const excerptLength = 150;

export const passwordMinLength = 6;
/** Limits the work that an attacker can cause, because Argon2 reads the whole password. */
export const passwordMaxBytes = 4_096;

/** Longest interval between two writes of a recording to the ledger. */
export const usageFlushIntervalMs = 20_000;

/** Largest relay frame that the room accepts, in bytes (a chunk as base64 is 10,924). */
export const relayFrameMaxBytes = 16_384;
/** Unacknowledged chunks that the browser has sent (32 s, 1 MB); later chunks wait in their take. */
export const relaySendWindow = 128;
/** Unacknowledged chunks that the room holds before it disconnects the client as too fast. */
export const relayRoomWindow = 192;

export const lecturePageSize = 50;
/** Folders of one user. Limited because the sidebar shows the whole tree. */
export const foldersMax = 2_000;
export const folderNameMaxLength = 200;
export const folderPageSize = 40;
/** How long a deleted lecture or folder can be restored. */
export const trashRetentionDays = 30;
export const trashRetentionMs = trashRetentionDays * 86_400_000;
export const trashPageSize = 50;
export const searchPageSize = 20;
export const searchQueryMaxLength = 200;
/** Rows that one call of the page saves, so that what was saved is known before a lecture of hours is through. */
export const rowsPerCallMax = 500;
/** Rows of one lecture. Twelve hours of short sentences are 12,000 rows. */
export const lectureRowsMax = 20_000;
/** Characters of a person's name that others see. */
export const authorNameMaxLength = 64;
export const entryTextMaxLength = 20_000;
export const translateTextMaxLength = 5_000;
/** Characters of a lecture's Context, which goes to the speech service and with each sentence to the translator. */
export const contextMaxLength = 1_000;
/** The same, of the words before a sentence. */
export const previousContextMaxLength = 10_000;
/** Characters. */
export const generatedContextMaxLength = 300;
/** Characters of a lecture's beginning from which a context is generated: about 600 words. */
export const contextTextMaxLength = 4_000;
/** Characters of the text that is summarised: about ten hours of speech. */
export const summaryTextMaxLength = 600_000;
export const summaryMaxLength = 100_000;
/** Characters of a person's own instructions for summaries. */
export const summaryInstructionsMaxLength = 1_000;
/** Marked sentences and terms for which the model writes flashcards in one call, and characters of one of their texts. */
export const flashcardItemsMax = 20;
export const flashcardTextMaxLength = 600;
/** Spoken formulas of one row, and the characters of their words and of their LaTeX. */
export const rowFormulasMax = 5;
export const formulaWordsMaxLength = 300;
export const formulaTexMaxLength = 300;
/** Characters of a sentence whose formulas the model writes, and of the one before it. */
export const formulaSentenceMaxLength = 1_000;
export const speakerLabelMaxLength = 64;
export const speakerNameMaxLength = 40;
/** Named speakers of one lecture. */
export const speakerNamesMax = 50;

/** Terms of all of a user's glossaries, and of one folder's. */
export const glossaryTermsMax = 10_000;
export const folderTermsMax = 1_000;
export const termMaxLength = 100;
export const termTranslationMaxLength = 200;
export const termNoteMaxLength = 500;
export const termOriginMaxLength = 200;
/** Languages into which one term is translated. */
export const termTranslationsMax = 12;
export const termsPerChangeMax = 200;
/** Characters of words that are looked up, and of what the model says of them. */
export const lookUpMaxLength = 100;
export const meaningMaxLength = 300;
/** Characters of a file's text from which the model proposes terms in one call. */
export const proposalTextMaxLength = 12_000;
/** Terms that the model proposes in one call. */
export const proposedTermsMax = 40;
/** Terms that it is told to leave out. */
export const knownTermsMax = 200;
/** Characters of a file's text from which terms are proposed at all: 500 full pages. */
export const fileTextMaxLength = 2_000_000;
/** Terms that a recogniser is told at a time. */
export const speechTermsMax = 15;
/** The same in JSON, so that they fit into a frame of the relay beside the lecture's context. */
export const speechTermsMaxBytes = 6_000;
/** Characters of what a lecture is about: its folders and its title. */
export const topicMaxLength = 200;

/** Agreed pairs that are given with one sentence. */
export const termsPerTextMax = 20;
/** The same, with a part of a lecture that is translated again, and with a lecture that is summarised. */
export const termsPerPartMax = 60;
/** Rows of a lecture that are translated again with one call, and the characters of their originals. */
export const rowsPerPartMax = 40;
export const partTextMaxLength = 12_000;
/** Characters of the notes on names and terms that one part hands to the next. */
export const digestMaxLength = 1_000;
export const rowsBeforeMax = 8;

/** Characters of a question, and of a row that an answer names. */
export const questionMaxLength = 500;
export const citedTextMaxLength = 500;
/** Questions of one lecture, folder or library that are kept; the oldest is deleted for a new one. */
export const questionsPerScopeMax = 100;
export const questionPageSize = 20;
export const questionsPerDeletionMax = 100;
/** Questions before one that the model is given with it. */
export const followedQuestionsMax = 3;
/** Quiz questions of one lecture, and of one user. */
export const quizQuestionsPerLectureMax = 60;
export const quizQuestionsMax = 5_000;
export const quizPageSize = 50;
/** Characters of a quiz question, of an answer or a choice, and of a sentence that it rests on. */
export const quizPromptMaxLength = 600;
export const quizAnswerMaxLength = 200;
export const quizSentenceMaxLength = 1_000;
/** Characters of the answer of a flashcard that is kept. */
export const quizCardAnswerMaxLength = 1_000;
/** Sentences that a quiz question rests on. */
export const quizRowsMax = 4;
export const quizChoicesMax = 5;
/** Questions that are deleted, reviews that are saved, and lectures that are listed with one call. */
export const quizIdsPerCallMax = 50;
export const quizLecturesMax = 200;
/** Rows of a recording that one recap reads, and their characters: about half an hour. */
export const recapRowsMax = 600;
export const recapTextMaxLength = 40_000;

/** Marks of one lecture, with and without a note. */
export const marksMax = 500;
export const noteMaxLength = 2_000;
export const marksPerChangeMax = 100;
export const marksPageSize = 50;

/** Slides of one lecture, of all of a user's lectures, and of one call that saves them. */
export const slidesMax = 200;
export const accountSlidesMax = 5_000;
export const slidesPerCallMax = 20;
/** Characters of the words on a slide, and of the name of the file that it comes from. */
export const slideTextMaxLength = 4_000;
export const slideFileNameMaxLength = 200;
/** The highest number of a page. */
export const slidePagesMax = 10_000;
/** Pixels of a slide's picture in either direction, and of its thumbnail. */
export const slidePictureMaxWidth = 1_280;
export const slideThumbnailMaxWidth = 240;
/** Bytes of the same. */
export const slidePictureMaxBytes = 250_000;
export const slideThumbnailMaxBytes = 12_000;
/** Bytes of all of a user's slides. */
export const accountSlideBytesMax = 300_000_000;

/** Bytes of a file of sound or video. */
export const mediaMaxBytes = 4 * 1024 ** 3;
/** Characters of the address of a file, a feed or a page. */
export const remoteAddressMaxLength = 2_000;
/** Bytes that are read of a feed or a page: the newest episodes, and what a page declares, stand at the beginning. */
export const remoteTextMaxBytes = 2 * 1024 ** 2;
/** Addresses that one leads on to. */
export const redirectsMax = 5;

/** Items of one lecture that somebody is to do, and rows of one of them. */
export const actionItemsMax = 100;
export const actionRowsMax = 8;
/** Characters of an item's texts. */
export const actionTaskMaxLength = 300;
export const actionNameMaxLength = 80;
export const dueTextMaxLength = 100;

/** Takes of one lecture of which is stored what became of their sound. */
export const takesMax = 500;
export const gapsPerTakeMax = 200;
export const takesPerCallMax = 20;
export const takesPageSize = 50;

export const guestTicketLifetimeMs = 3_600_000;
/** How long after its expiry a guest's ticket can be exchanged for a new one of the same recording. */
export const guestTicketGraceMs = 86_400_000;
/**
 * A streamed response sends a space after this time without output. So a server whose runtime does not see that a
 * connection was closed finds out, and silence means a lost connection to the page.
 */
export const streamPingMs = 2_000;
/** A page takes a stream that was silent for this long for lost. */
export const streamSilenceMs = 40_000;
/** The user is notified when this much of the allowance is left. */
export const allowanceLowMs = 300_000;

export interface Backoff {
  firstMs: number;
  maxMs: number;
  /** Factor between one delay and the next; 2 by default. */
  growth?: number;
  /** Range of the random factor of each delay, so that many clients do not retry at once. */
  spread?: readonly [least: number, most: number];
}

/** The delay, in ms, after `failures` earlier failures; `random` is between 0 and 1. */
export function getBackoffMs(
  { firstMs, maxMs, growth = 2, spread: [least, most] = [1, 1] }: Backoff,
  failures: number,
  random = 0,
): number {
  return Math.min(firstMs * growth ** failures, maxMs) * (least + (most - least) * random);
}

/** Most ids in one call for lectures' names. */
export const lectureNamesMax = 100;

/** Limits of a person's programs, for the page as well, which has no schemas. */
export const personalTokensMax = 20;
export const webhooksMax = 5;
/** Characters of a token's name. */
export const programNameMaxLength = 60;
