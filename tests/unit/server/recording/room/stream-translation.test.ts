import { describe, expect, test } from "vitest";
import { LectureRoom } from "#bench/terms/lecture-room.ts";
import { TranscriptWriter } from "#client/lecture/rows/transcript-writer.ts";
import { TakeUploader } from "#client/recognition/room/take-uploader.ts";
import { TakeWords } from "#client/recognition/take-words.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { Take } from "#client/sound/takes/take.ts";
import { getTakeLanguages } from "#client/sound/takes/take-languages.ts";
import { NoTranslatorError } from "#client/translation/translator-list.ts";
import { defaultHearing } from "#local/soniox/hearing.ts";
import {
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  toSpokenLanguage,
} from "#shared/languages.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import { createLectureFixture, type LecturePlan } from "#tests/fixtures/lecture.ts";
import { readNumbers } from "#tests/fixtures/read-numbers.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { createHintSource } from "#tests/unit/client/recorder/kit/hint-source.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

/** The page's uploader and transcript, the room's rules, and the stand-in behind its adapter's messages. */
interface Recorded {
  pair: LanguagePair;
  plan?: LecturePlan;
  thirdLanguage?: SpokenLanguage;
  refused?: readonly SpokenLanguage[];
  /** What is done after so many chunks. */
  faults?: ReadonlyMap<number, (lecture: { room: LectureRoom; writer: TranscriptWriter }) => void>;
  /** Chunks after which the person stops and records again. */
  stops?: readonly number[];
  translate?: (text: string) => string;
}

async function record({
  pair,
  plan,
  thirdLanguage,
  refused,
  faults,
  stops = [],
  translate,
}: Recorded) {
  const clock = new ManualClock();
  const room = new LectureRoom(
    clock,
    "Soniox",
    { ...defaultHearing, thirdLanguage: thirdLanguage ?? null },
    refused,
  );
  const calls: string[] = [];
  const told: string[] = [];
  const previews: string[] = [];
  let target = pair.targetLanguage === "none" ? null : pair.targetLanguage;
  const writer = new TranscriptWriter(
    {
      clock,
      newId: () => crypto.randomUUID(),
      log: { warn() {} },
      async translate({ text }) {
        calls.push(text);
        if (!translate) throw new NoTranslatorError();
        return translate(text);
      },
      wordContext: () => "",
      onRowChange() {},
      onFailed() {},
    },
    { rows: [], finalMs: 0, languages: pair },
  );
  writer.transcript.live.subscribe(() => {
    const { preview = "" } = writer.transcript.live.get() ?? {};
    if (preview !== "" && preview !== previews.at(-1)) previews.push(preview);
  });
  const settings = () => ({
    diarization: false,
    context: "",
    lectureEndMs: writer.finalMs,
    translateInto: target,
  });
  const words = new TakeWords(
    { openSource: (_, onReplaced) => writer.openSource(onReplaced), settings },
    () => {},
  );
  let isComplete = false;
  const log = { warn() {} };
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
      settings,
      hintSource: { ...createHintSource([]), getRows: () => writer.transcript.rows() },
      onAllowance() {},
      onRefusedChunk: () => fail("refused chunk"),
      onBusy() {},
      onTranslationRefused(language) {
        told.push(language);
        target = null;
        writer.translator.endExpecting();
      },
    },
    {
      onTokens: (batch, take, isTranslated) => words.add(batch, take, isTranslated),
      endSentence: () => words.endSentence(),
      onProgress() {},
      onComplete() {
        isComplete = true;
      },
      onEnd: fail,
    },
  );
  const events = {
    onLoaded: () => uploader.sendChunks(),
    onStorageState() {},
    onKeptRemoved() {},
    onMissing() {},
  };
  const startTake = () => {
    const made = newTake(crypto.randomUUID(), "lecture", "pcm_s16le", clock.now());
    const take = new Take(
      { storage: null, clock, log, events },
      { ...made, ...getTakeLanguages(pair) },
    );
    isComplete = false;
    words.open(true);
    uploader.add(take);
    uploader.start(true);
    return take;
  };
  const stop = async (take: Take) => {
    take.end();
    uploader.sendChunks();
    await clock.until(() => isComplete);
    words.close();
    writer.commit();
  };
  const { language, secondLanguage } = getTakeLanguages(pair);
  const languages =
    language === "detect" ? [] : [language, ...(secondLanguage ? [secondLanguage] : [])];
  const lecture = createLectureFixture({
    to: 60,
    languages,
    sampleRate: captureSampleRate,
    ...plan,
  });
  let take = startTake();
  for (let seq = 0; seq * chunkSamples < lecture.samples.length; seq += 1) {
    const samples = new Float32Array(chunkSamples);
    samples.set(lecture.samples.subarray(seq * chunkSamples, (seq + 1) * chunkSamples));
    await clock.advance(take.chunkMs);
    take.append(encodePcm16(samples), 100);
    uploader.sendChunks();
    faults?.get(seq)?.({ room, writer });
    if (stops.includes(seq)) {
      await stop(take);
      take = startTake();
    }
  }
  await stop(take);
  await clock.advance(60_000);
  const rows = writer.transcript.rows();
  writer.dispose();
  return { rows, calls, told, previews, lecture, room };
}

const toPair = (
  sourceLanguage: LanguagePair["sourceLanguage"],
  targetLanguage: LanguagePair["targetLanguage"],
  isTwoWay = false,
): LanguagePair => ({ sourceLanguage, targetLanguage, isTwoWay });

const pairs: [string, LanguagePair][] = [
  ["English into Chinese", toPair("en", "zh-cn")],
  ["English into Arabic", toPair("en", "ar")],
  ["Arabic into English", toPair("ar", "en")],
  ["Japanese into French", toPair("ja", "fr")],
  ["Hindi into Spanish", toPair("hi", "es")],
  ["English and German by turns", toPair("en", "de", true)],
];

type Row = Awaited<ReturnType<typeof record>>["rows"][number];
const getNumbers = (text: string, language: SpokenLanguage) =>
  readNumbers(text.toLowerCase(), [language]).map(({ number }) => number);

/** Each row has the numbers of its words in both languages. */
function expectTranslated(rows: readonly Row[], pair: LanguagePair) {
  for (const { original, spokenIn, translated, translatedInto, translation } of rows) {
    const into = getTranslationLanguage(pair, spokenIn);
    expect({ original, translation, translatedInto }).toEqual({
      original,
      translation: "done",
      translatedInto: into,
    });
    if (into !== null)
      expect(getNumbers(translated, toSpokenLanguage(into))).toEqual(
        getNumbers(original, spokenIn),
      );
  }
}

const listSaid = (rows: readonly Row[]) =>
  rows.flatMap(({ original, spokenIn }) => getNumbers(original, spokenIn));
const sixty = Array.from({ length: 60 }, (_, index) => index + 1);

describe.each(pairs)("a lecture without a language model: %s", (_, pair) => {
  test("has every row translated, live and in the end", async () => {
    const { rows, calls, previews } = await record({ pair });
    expect(listSaid(rows)).toEqual(sixty);
    expectTranslated(rows, pair);
    expect(previews.length).toBeGreaterThanOrEqual(rows.length);
    expect(calls).toEqual([]);
  });

  test("has so through lost streams, lost connections and Stop", async () => {
    const faults = new Map(
      [17, 60, 96, 150].map((seq, index) => [
        seq,
        ({ room }: { room: LectureRoom }) =>
          index % 2 === 0 ? room.loseStream() : room.loseConnection(),
      ]),
    );
    const { rows, room } = await record({ pair, faults, stops: [75, 130] });
    expect(new Set(listSaid(rows)).size).toBe(listSaid(rows).length);
    expectTranslated(rows, pair);
    expect(room.told.sessions).toBeGreaterThanOrEqual(5);
  });
});

describe("what the stream does not translate", () => {
  const byTurns = (speakers: number) => ({
    to: 60,
    speakers,
    sentencesPerSpeaker: 1,
    sentenceGapMs: 1_500,
  });
  const model = { translate: (text: string) => `model: ${text}` };

  test("is a third language in a lecture of two: the next translator gets it", async () => {
    const pair = toPair("en", "de", true);
    const { rows, calls } = await record({ pair, plan: byTurns(3), thirdLanguage: "ja", ...model });
    const third = rows.filter(({ spokenIn }) => spokenIn === "ja");
    expect(third.length).toBeGreaterThan(1);
    expect(third.map(({ translated }) => translated)).toEqual(
      third.map(({ original }) => `model: ${original}`),
    );
    // Its live line is translated by the model too.
    for (const text of calls)
      expect(third.some(({ original }) => original.startsWith(text))).toBe(true);
    expectTranslated(
      rows.filter(({ spokenIn }) => spokenIn !== "ja"),
      pair,
    );
  });

  test("is not a language that was detected: each is translated into the one", async () => {
    const pair = toPair("detect", "fr");
    const { rows, calls } = await record({ pair, plan: byTurns(4), ...model });
    const spoken = new Set(rows.map(({ spokenIn }) => spokenIn));
    expect(spoken).toEqual(new Set(["en", "de", "ja", "ar"]));
    expectTranslated(rows, pair);
    expect(calls).toEqual([]);
  });

  test("is a target that the service refuses: that is told once, and no row waits", async () => {
    const pair = toPair("en", "fr");
    const { rows, calls, told } = await record({
      pair,
      refused: ["fr"],
      faults: new Map([[60, ({ room }) => room.loseConnection()]]),
      ...model,
    });
    expect(told).toEqual(["fr"]);
    expect(listSaid(rows)).toEqual(sixty);
    expect(rows.map(({ translated }) => translated)).toEqual(
      rows.map(({ original }) => `model: ${original}`),
    );
    expect(calls.length).toBeGreaterThanOrEqual(rows.length);
  });

  test("is a row that was corrected: it keeps the translation of what the person wrote", async () => {
    const correct = ({ writer }: { writer: TranscriptWriter }) => {
      const id = writer.transcript.row(0)?.id ?? "";
      writer.translator.correct(id, { original: "Corrected." }, writer.getRowTarget(id));
    };
    const { rows, calls } = await record({
      pair: toPair("en", "fr"),
      faults: new Map([[22, correct]]),
      ...model,
    });
    expect(rows[0]).toMatchObject({ original: "Corrected.", translated: "model: Corrected." });
    expect(calls).toEqual(["Corrected."]);
    expectTranslated(rows.slice(1), toPair("en", "fr"));
  });
});
