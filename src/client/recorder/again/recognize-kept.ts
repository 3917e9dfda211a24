import type { Span } from "#client/lecture/rows/row-timeline.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import type { SpeechModel } from "#client/recognition/device/speech-model.ts";
import type { LivePath } from "#client/recognition/live-path.ts";
import type { RelayEnd } from "#client/recognition/room/relay-end.ts";
import type { RelayTransport } from "#client/recognition/room/transport.ts";
import type { SpeechEngine, SpeechProblem } from "#client/recognition/speech-engine.ts";
import type { HintSource } from "#client/recognition/speech-hints.ts";
import { TakeRecognition } from "#client/recognition/take-recognition.ts";
import { getClockEndMs } from "#client/sound/takes/lecture-clock.ts";
import type { Take } from "#client/sound/takes/take.ts";
import type { TakeLanguages } from "#client/sound/takes/take-languages.ts";
import type { TakeStorage } from "#client/sound/takes/take-storage.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { RelayTokens } from "#shared/relay.ts";
import { type KeptPart, openParts, toLectureMs } from "./kept-parts.ts";
import type { HeardWords } from "./replace-rows.ts";

interface Deps {
  live: LivePath;
  storage: TakeStorage;
  /** The sound that is recognised, in the order of the lecture's clock. */
  parts: readonly KeptPart[];
  engine: SpeechEngine;
  languages: TakeLanguages;
  diarization: boolean;
  context: string;
  hintSource: HintSource;
  getModel(failed: SpeechModel | null, language: SpokenLanguage): Promise<SpeechModel>;
  ports: {
    clock: Clock;
    log: Log;
    transport: RelayTransport;
    /** 0 inclusive to 1 exclusive. */
    random(): number;
  };
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

/** What kept sound has brought, on the lecture's clock. */
export interface RecognizedSound {
  words: HeardWords[];
  /** Speech without words, by the id of the kept take; empty where the engine does not tell. */
  wordless: Map<string, Span[]>;
}

/**
 * Has kept sound recognised, through the same readers as recorded sound. The takes are new ones for the readers, which
 * place them on a clock of their own. Nothing of them is stored: the sound is there already, and its words are not the
 * lecture's yet.
 *
 * @throws NotRecognizedError; what aborted `signal`
 */
export async function recognizeKept(deps: Deps, signal: AbortSignal): Promise<RecognizedSound> {
  signal.throwIfAborted();
  const { live, ports, engine, languages, diarization, hintSource } = deps;
  const { clock, log } = ports;
  const words: HeardWords[] = [];
  const parts = new Map(deps.parts.map((part) => [crypto.randomUUID() as string, part]));
  const storage = openParts(deps.storage, parts);
  const takes = new Map<Take, KeptPart>();
  const listTakes = () => [...takes.keys()];
  /** Whose words come, and up to where they are final on the readers' clock, ms. */
  let current: Take | null = null;
  let finalMs = 0;
  const settings = () => ({ diarization, context: deps.context, lectureEndMs: finalMs });
  const recognition: TakeRecognition = new TakeRecognition({
    openReaders: () =>
      live.createReaders({
        clock,
        log,
        transport: ports.transport,
        random: ports.random,
        settings,
        hintSource,
        getLastText: () => "",
        path: deps.path,
        getModel: deps.getModel,
        getClockEndMs: () =>
          getClockEndMs(
            listTakes().filter(({ offsetMs }) => offsetMs !== null),
            0,
          ),
        onAllowance() {},
        onBusy(seconds) {
          if (seconds !== null) log.warn("recognition again waits", { seconds });
        },
        onRefusedChunk() {},
      }),
    text: {
      settings,
      openSource: () => ({
        addTokens(batch, about) {
          finalMs = Math.max(finalMs, batch.audio_final_proc_ms);
          const part = current && takes.get(current);
          if (!current || !part) return;
          const finals = batch.tokens.filter((token) => token.is_final);
          if (finals.length === 0 && batch.endpoint !== true) return;
          const offsetMs = current.offsetMs ?? 0;
          const moved = moveTokens({ ...batch, tokens: finals }, (ms) =>
            toLectureMs(part, ms - offsetMs),
          );
          words.push({ kind: "words", batch: moved, ...about });
        },
        endSentence: () => words.push({ kind: "end" }),
        close() {},
      }),
    },
    list: listTakes,
    getCapturedEngine: () => null,
    onReplaced() {},
    onTokens: (batch, take) => {
      current = take;
      if (batch.isDemoVoice && batch.tokens.length > 0) deps.onDemoVoice();
    },
    onProgress() {
      const doneMs = listTakes().reduce((sum, take) => sum + take.lengthMs - take.unsentMs, 0);
      deps.onProgress(doneMs, recognition.state === "reconnecting");
    },
    onComplete() {},
    onEnd() {},
  });
  for (const [id, part] of parts) {
    const { lectureId, codec } = part.take;
    const take = new live.Take(
      {
        storage,
        clock,
        log,
        events: {
          onLoaded: () => recognition.sendChunks(),
          onStorageState() {},
          onKeptRemoved() {},
          onMissing() {},
        },
      },
      {
        ...live.newTake(lectureId, codec, clock.now()),
        ...languages,
        id,
        relayId: crypto.randomUUID(),
        nextSeq: part.toSeq - part.fromSeq,
        engine,
        isKept: true,
      },
      { heldMs: 0 },
    );
    takes.set(take, part);
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
  const wordless = new Map<string, Span[]>();
  for (const [take, part] of takes) {
    const spans = take.wordless.map(({ startMs, endMs }) => {
      const start = toLectureMs(part, startMs);
      return { startMs: start, endMs: start + endMs - startMs };
    });
    wordless.set(part.take.id, [...(wordless.get(part.take.id) ?? []), ...spans]);
  }
  return { words, wordless };
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
