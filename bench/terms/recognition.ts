import { TranscriptWriter } from "#client/lecture/rows/transcript-writer.ts";
import { TakeUploader } from "#client/recognition/room/take-uploader.ts";
import { TakeWords } from "#client/recognition/take-words.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { Take } from "#client/sound/takes/take.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import { listComparable } from "#shared/word-units.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { createHintSource, createTerms } from "#tests/unit/client/recorder/kit/hint-source.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { LectureRoom, type Service } from "./lecture-room.ts";
import type { TermLecture } from "./lectures.ts";

/**
 * Recognises a lecture with the page's uploader and transcript, the room's rules, and the messages of a service's adapter to
 * its stand-in, in one process and without waiting. The stand-in mishears each term that it was not told.
 */

export interface Recognition {
  /** Occurrences of terms, and how many were written as they were said. */
  occurrences: number;
  recognised: number;
  /** Terms in the transcript that were not said. */
  invented: number;
  /** Words that are missing in the transcript or stand in it twice. */
  lostOrDoubled: number;
  sessions: number;
  /** How often the terms changed, and the most at a time. */
  changes: number;
  most: number;
}

/** Pause of the speaker after a sentence, ms. */
const pauseMs = 1_400;

/** `sentences`: how many of the lecture's are said. */
export async function recognise(
  lecture: TermLecture,
  service: Service,
  hasHints: boolean,
  sentences = lecture.sentences.length,
): Promise<Recognition> {
  const said = lecture.sentences.slice(0, sentences);
  const clock = new ManualClock();
  const words = said.flatMap(({ text }) => text.split(" "));
  const confusions = listConfusions(lecture);
  const room = new LectureRoom(clock, service, { script: words.join(" "), confusions });
  const writer = createWriter(clock);
  const terms = createTerms(
    ...lecture.terms.map(({ term, translation }): [string, string] => [term, translation]),
  );
  const settings = { diarization: false, context: "" };
  const getSettings = () => ({ ...settings, lectureEndMs: writer.finalMs });
  const takeWords = new TakeWords(
    { openSource: (_, onReplaced) => writer.openSource(onReplaced), settings: getSettings },
    () => {},
  );
  takeWords.open(true);
  const log = { warn: (event: string) => console.error(event) };
  let isComplete = false;
  const fail = (reason: unknown) => {
    throw new Error(`the recording ended: ${JSON.stringify(reason)}`);
  };
  const uploader = new TakeUploader(
    {
      transport: room,
      clock,
      log,
      random: () => 0.5,
      path: async () => "",
      settings: getSettings,
      hintSource: {
        ...createHintSource(hasHints ? terms : []),
        getRows: () => writer.transcript.rows(),
      },
      onAllowance: () => {},
      onRefusedChunk: () => fail("refused chunk"),
      onBusy: () => fail("busy"),
    },
    {
      onTokens: (batch, take) => takeWords.add(batch, take),
      endSentence: () => takeWords.endSentence(),
      onProgress: () => {},
      onComplete: () => {
        isComplete = true;
      },
      onEnd: fail,
    },
  );
  const take = new Take(
    {
      storage: null,
      clock,
      log,
      events: {
        onLoaded: () => uploader.sendChunks(),
        onStorageState: () => {},
        onKeptRemoved: () => {},
        onMissing: () => {},
      },
    },
    newTake(crypto.randomUUID(), "lecture", "pcm_s16le"),
  );
  uploader.add(take);
  uploader.start(true);
  for (const chunk of createSound(said.map(({ text }) => text))) {
    await clock.advance(take.chunkMs);
    take.append(chunk, 100);
    uploader.sendChunks();
  }
  take.end();
  uploader.sendChunks();
  await clock.until(() => isComplete);
  takeWords.close();
  writer.commit();
  const written = writer.transcript.rows().flatMap(({ original }) => original.split(" "));
  writer.dispose();
  return { ...compare(said, words, written, confusions, lecture), ...room.told };
}

function createWriter(clock: ManualClock): TranscriptWriter {
  return new TranscriptWriter(
    {
      clock,
      newId: () => crypto.randomUUID(),
      log: { warn: () => {} },
      translate: async () => ({ text: "" }) as never,
      wordContext: () => "",
      onRowChange: () => {},
      onFailed: () => {},
    },
    {
      rows: [],
      finalMs: 0,
      languages: { sourceLanguage: "en", targetLanguage: "none", isTwoWay: false },
    },
  );
}

/** The near miss of each form of a term; what inflection adds stays. */
function listConfusions({ terms, sentences }: TermLecture) {
  const confusions = new Map(terms.map(({ term, confusion }) => [term, confusion]));
  const forms = new Map(
    sentences.flatMap(({ occurrences }) => occurrences.map(({ form, term }) => [form, term])),
  );
  return [...forms].map(([heard, term]) => {
    const added = heard.toLowerCase().startsWith(term.toLowerCase())
      ? heard.slice(term.length)
      : "";
    return { heard, term, written: (confusions.get(term) ?? "") + added };
  });
}

/** The sentences as numbered words of the test pattern, with a pause after each, in chunks of PCM. */
function* createSound(sentences: readonly string[]): Generator<Uint8Array<ArrayBuffer>> {
  let rest = new Float32Array();
  let from = 1;
  for (const sentence of sentences) {
    const to = from + sentence.split(" ").length - 1;
    const { samples } = createLectureFixture({
      from,
      to,
      wordsPerSentence: to,
      sentencesPerSpeaker: 0,
      speakers: 1,
      leadInMs: 0,
      tailMs: pauseMs,
      sampleRate: captureSampleRate,
    });
    from = to + 1;
    const joined = new Float32Array(rest.length + samples.length);
    joined.set(rest);
    joined.set(samples, rest.length);
    let at = 0;
    for (; at + chunkSamples <= joined.length; at += chunkSamples)
      yield encodePcm16(joined.subarray(at, at + chunkSamples));
    rest = joined.slice(at);
  }
}

function compare(
  said: TermLecture["sentences"],
  words: readonly string[],
  written: readonly string[],
  confusions: ReturnType<typeof listConfusions>,
  { terms }: TermLecture,
): Pick<Recognition, "occurrences" | "recognised" | "invented" | "lostOrDoubled"> {
  const [saidWords, writtenWords] = [
    listComparable(words.join(" ")),
    listComparable(written.join(" ")),
  ];
  const misheard = new Set(confusions.flatMap((one) => listComparable(one.written)));
  const isRight = (index: number) => writtenWords[index] === saidWords[index];
  const differences = saidWords.filter(
    (_, index) => !isRight(index) && !misheard.has(writtenWords[index] ?? ""),
  ).length;
  let occurrences = 0;
  let recognised = 0;
  let from = 0;
  for (const { text, occurrences: list } of said) {
    const sentence = listComparable(text);
    let at = 0;
    for (const { form } of list) {
      const parts = listComparable(form);
      at = sentence.findIndex(
        (_, index) =>
          index >= at && parts.every((part, offset) => sentence[index + offset] === part),
      );
      occurrences += 1;
      if (parts.every((_, offset) => isRight(from + at + offset))) recognised += 1;
      at += parts.length;
    }
    from += sentence.length;
  }
  const count = (list: readonly string[], term: string) =>
    ` ${list.join(" ")} `.split(` ${listComparable(term).join(" ")} `).length;
  const invented = terms.filter(({ term }) => count(writtenWords, term) > count(saidWords, term));
  const lengths = Math.abs(saidWords.length - writtenWords.length);
  return {
    occurrences,
    recognised,
    invented: invented.length,
    lostOrDoubled: differences + lengths,
  };
}
