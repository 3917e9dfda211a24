import type { Clock } from "#client/lib/clock.ts";
import type { DeviceRecognizerDeps } from "#client/realtime/device-speech/device-recognizer.ts";
import type { LivePath } from "#client/realtime/live-path.ts";
import type { Log, RelayTransport } from "#client/realtime/platform/ports.ts";
import type { RelayEnd } from "#client/realtime/relay/relay-end.ts";
import type { SpeechEngine, SpeechProblem } from "#client/realtime/session-types.ts";
import { getClockEndMs } from "#client/realtime/takes/lecture-clock.ts";
import type { HintSource } from "#client/realtime/takes/speech-hints.ts";
import type { Take } from "#client/realtime/takes/take.ts";
import type { TakeLanguages } from "#client/realtime/takes/take-languages.ts";
import { TakeRecognition } from "#client/realtime/takes/take-recognition.ts";
import type { KeptTake, TakeStorage } from "#client/realtime/takes/take-storage.ts";
import type { RelayTokens } from "#shared/relay.ts";
import type { HeardWords } from "./replace-rows.ts";

interface Deps {
  live: LivePath;
  storage: TakeStorage;
  /** Whose sound is recognised, in the order of the lecture's clock. */
  kept: readonly KeptTake[];
  engine: SpeechEngine;
  languages: TakeLanguages;
  diarization: boolean;
  context: string;
  hintSource: HintSource;
  getModel: DeviceRecognizerDeps["getModel"];
  transport: RelayTransport;
  clock: Clock;
  log: Log;
  random(): number;
  /** Address of the room. */
  path(): Promise<string>;
  /** The words are the demo voice's. */
  onDemoVoice(): void;
  /** `doneMs` of the sound have words. `isWaiting`: the connection is away. */
  onProgress(doneMs: number, isWaiting: boolean): void;
}

/** The sound could not be recognised to its end. */
export class NotRecognizedError extends Error {
  override readonly name = "NotRecognizedError";
  constructor(readonly reason: RelayEnd | SpeechProblem | null) {
    super("Kept sound was not recognised");
  }
}

/** Nothing of the recognition is stored: the sound is there already, and its words are not the lecture's yet. */
function readOnly(storage: TakeStorage): TakeStorage {
  const ignore = async () => {};
  return {
    readChunks: (...range) => storage.readChunks(...range),
    readLevels: (id) => storage.readLevels(id),
    ...{ list: async () => [], listKept: async () => [], write: ignore, remove: ignore },
    ...{ removeAll: ignore, removeKept: ignore, stopKeeping: ignore },
    removeOldestKept: async () => false,
    listFiles: async () => [],
  };
}

/**
 * Has kept sound recognised, through the same readers as recorded sound, and returns its words on the lecture's clock. The
 * takes are new ones for the readers, which place them on a clock of their own.
 *
 * @throws NotRecognizedError; what aborted `signal`
 */
export async function recognizeKept(deps: Deps, signal: AbortSignal): Promise<HeardWords[]> {
  signal.throwIfAborted();
  const { live, clock, log, kept, engine, languages, diarization } = deps;
  const words: HeardWords[] = [];
  const records = new Map<Take, KeptTake>();
  const listTakes = () => [...records.keys()];
  /** Whose words come, and up to where they are final on the readers' clock, ms. */
  let current: Take | null = null;
  let finalMs = 0;
  const recognition: TakeRecognition = new TakeRecognition({
    ...deps,
    list: listTakes,
    getCapturedEngine: () => null,
    getClockEndMs: () =>
      getClockEndMs(
        listTakes().filter(({ offsetMs }) => offsetMs !== null),
        0,
      ),
    getLastText: () => "",
    settings: () => ({ diarization, context: deps.context, lectureEndMs: finalMs }),
    openSource: () => ({
      addTokens(batch, about) {
        finalMs = Math.max(finalMs, batch.audio_final_proc_ms);
        const record = current && records.get(current);
        if (!current || !record) return;
        const finals = batch.tokens.filter((token) => token.is_final);
        if (finals.length === 0 && batch.endpoint !== true) return;
        const offsetMs = current.offsetMs ?? 0;
        const moved = moveTokens({ ...batch, tokens: finals }, (ms) =>
          toLectureMs(record, ms - offsetMs),
        );
        words.push({ kind: "words", batch: moved, ...about });
      },
      endSentence: () => words.push({ kind: "end" }),
      close() {},
    }),
    onReplaced() {},
    onTokens: (batch, take) => {
      current = take;
      if (batch.isDemoVoice && batch.tokens.length > 0) deps.onDemoVoice();
    },
    onAllowance() {},
    onRefusedChunk() {},
    onBusy(seconds) {
      if (seconds !== null) log.warn("recognition again waits", { seconds });
    },
    onProgress() {
      const doneMs = listTakes().reduce((sum, take) => sum + take.lengthMs - take.unsentMs, 0);
      deps.onProgress(doneMs, recognition.state === "reconnecting");
    },
    onComplete() {},
    onEnd() {},
  });
  for (const record of kept) {
    const take = new live.Take(
      {
        ...{ storage: readOnly(deps.storage), clock, log },
        onLoaded: () => recognition.sendChunks(),
        ...{ onStorageState() {}, onKeptRemoved() {}, onMissing() {} },
      },
      {
        ...live.newTake(record.lectureId, record.codec, clock.now()),
        ...languages,
        ...{ id: record.id, relayId: crypto.randomUUID(), nextSeq: record.nextSeq, engine },
        isKept: true,
      },
      { heldMs: 0 },
    );
    records.set(take, record);
    recognition.add(live, take);
  }
  const stop = () => recognition.dispose();
  signal.addEventListener("abort", stop);
  try {
    await recognition.complete();
  } finally {
    signal.removeEventListener("abort", stop);
    recognition.dispose();
  }
  signal.throwIfAborted();
  if (listTakes().some((take) => !take.isComplete))
    throw new NotRecognizedError(recognition.end ?? recognition.problem);
  return words;
}

/** Where `ms` of the take lie on the lecture's clock. */
function toLectureMs({ placements }: Pick<KeptTake, "placements">, ms: number): number {
  const placement = placements.findLast(({ fromMs }) => fromMs <= ms) ?? placements[0];
  return Math.max(0, ms + (placement?.offsetMs ?? 0));
}

function moveTokens(batch: RelayTokens, move: (ms: number) => number): RelayTokens {
  return {
    ...batch,
    audio_final_proc_ms: move(batch.audio_final_proc_ms),
    audio_total_proc_ms: move(batch.audio_total_proc_ms),
    tokens: batch.tokens.map((token) => {
      const { start_ms: startMs, end_ms: endMs } = token;
      if (startMs === undefined || endMs === undefined) return token;
      const start = move(startMs);
      // A word lies in one placement.
      return { ...token, start_ms: start, end_ms: start + endMs - startMs };
    }),
  };
}
