import {
  DeviceRecognizer,
  type RecognizerEnd,
} from "#client/recognition/device/device-recognizer.ts";
import type { SpeechModel } from "#client/recognition/device/speech-model.ts";
import { TakeWords } from "#client/recognition/take-words.ts";
import type { DecodeOpus } from "#client/sound/codecs/opus-decoder.ts";
import type { ChunkData } from "#client/sound/takes/chunk-codec.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { Take } from "#client/sound/takes/take.ts";
import { encodeOpusChunk, opusPacketsPerChunk } from "#shared/opus.ts";
import type { AudioCodec, RelayTokens } from "#shared/relay.ts";
import { createFakePacket } from "./fake-packets.ts";
import { createHintSource } from "./hint-source.ts";
import { detectByLevel } from "./level-detector.ts";
import type { ManualClock } from "./manual-clock.ts";
import type { MemoryTakes } from "./memory-takes.ts";
import {
  createPcm,
  type Faults,
  noFaults,
  readNumber,
  readWords,
  ScriptedModel,
  type ScriptWord,
} from "./scripted-speech.ts";

const user = "user-1";
const sampleRate = 16_000;

interface PageWord {
  text: string;
  startMs: number;
  endMs: number;
  takeId: string;
}

/** A lecture's page: its words, its takes and the recogniser of this tab. */
export class DeviceLecture {
  readonly words: PageWord[] = [];
  interim = "";
  endpoints = 0;
  /** Number of the words before each place over which no sentence goes on. */
  readonly breaks: number[] = [];
  readonly ends: RecognizerEnd[] = [];
  completions = 0;
  refusedMs = 0;
  takes: Take[] = [];
  recognizer: DeviceRecognizer;
  maxBufferedMs = 0;
  maxChunksInMemory = 0;
  maxWindowMs = 0;
  modelsMade = 0;
  /** Computing time for each ms of sound. */
  slowness = 0.1;
  /** Throws where the next calls fail. */
  failCall = () => {};
  failModel = () => {};
  decodeOpus: DecodeOpus = () => Promise.reject(new Error("no Opus here"));
  readonly #model: ScriptedModel;
  /** The take of the words that come. */
  #takeId = "";
  readonly #page = new TakeWords(
    {
      openSource: () => ({
        addTokens: (batch) => this.#addTokens(batch),
        endSentence: () => this.breaks.push(this.words.length),
        close: () => {},
      }),
      settings: () => ({ diarization: false, lectureEndMs: this.endMs }),
    },
    () => {},
  );

  constructor(
    readonly clock: ManualClock,
    readonly stored: MemoryTakes,
    readonly script: readonly ScriptWord[],
    faults: Faults = noFaults,
  ) {
    this.#model = new ScriptedModel(script, faults);
    this.recognizer = this.#createRecognizer();
  }

  get endMs(): number {
    return this.words.at(-1)?.endMs ?? 0;
  }
  get numbers(): number[] {
    return this.words.map(({ text }) => readNumber(text));
  }
  /** End of the clock of the placed takes. */
  get clockEndMs(): number {
    const ends = this.takes.map(({ offsetMs, lengthMs }) =>
      offsetMs === null ? 0 : offsetMs + lengthMs,
    );
    return Math.max(0, ...ends);
  }

  addTake(id: string, codec: AudioCodec = "pcm_s16le"): Take {
    const take = new Take(this.#takeDeps, { ...newTake(id, "lecture", codec), engine: "device" });
    this.#add(take);
    return take;
  }

  /** The tab is closed and opened again; the words on the page were saved. */
  async reload(): Promise<void> {
    this.recognizer.close();
    for (const take of this.takes) {
      take.end();
      await take.whenWritten();
    }
    this.takes = [];
    this.interim = "";
    this.recognizer = this.#createRecognizer();
    for (const record of await this.stored.openStorage(user).list("lecture")) {
      const heldMs = Math.max(
        record.savedMs,
        ...this.words
          .filter(({ takeId }) => takeId === record.id)
          .map(({ endMs }) => endMs - (record.placements.at(-1)?.offsetMs ?? 0)),
      );
      this.#add(new Take(this.#takeDeps, record, { heldMs }));
    }
  }

  /** Records in real time. */
  async record(take: Take, toMs: number): Promise<void> {
    while (take.lengthMs < toMs) {
      await this.clock.advance(take.chunkMs);
      take.append(this.#createChunk(take), 100);
      this.recognizer.sendChunks();
    }
  }

  /** Records before anything is recognised. */
  async recordAhead(take: Take, toMs: number): Promise<void> {
    await this.clock.advance(0);
    while (take.lengthMs < toMs) take.append(this.#createChunk(take), 100);
    await take.whenWritten();
  }

  /** Ends the takes. Resolves when they are complete or the recogniser has ended. */
  async finish(limitMs = 600_000): Promise<void> {
    for (const take of this.takes) take.end();
    this.recognizer.sendChunks();
    await this.clock.until(() => this.completions > 0 || this.ends.length > 0, limitMs);
  }

  #createChunk({ codec, chunkMs, nextSeq }: Take): ChunkData {
    if (codec === "pcm_s16le") return createPcm(this.script, nextSeq * chunkMs, chunkMs);
    const numbers = Array.from({ length: opusPacketsPerChunk }, (_, at) => at);
    const packets = numbers.map((at) => createFakePacket(nextSeq, at));
    return encodeOpusChunk({ leadIn: nextSeq === 0 ? [] : packets.slice(-2), packets });
  }

  #add(take: Take): void {
    this.takes.push(take);
    this.recognizer.add(take);
  }

  get #takeDeps() {
    return {
      storage: this.stored.openStorage(user),
      clock: this.clock,
      log: { warn: () => {} },
      events: {
        onLoaded: () => this.recognizer.sendChunks(),
        onStorageState: () => {},
        onKeptRemoved: () => {},
        onMissing: () => {},
      },
    };
  }

  #createRecognizer(): DeviceRecognizer {
    return new DeviceRecognizer(
      {
        clock: this.clock,
        log: { warn: () => {} },
        getModel: async () => {
          this.failModel();
          this.modelsMade += 1;
          return this.#createModel();
        },
        settings: () => ({ lectureEndMs: this.endMs }),
        hintSource: createHintSource(),
        getClockEndMs: () => this.clockEndMs,
        getLastText: () => this.words.map(({ text }) => text).join(" "),
        onRefusedChunk: (ms) => {
          this.refusedMs += ms;
        },
      },
      { decodeOpus: (packets) => this.decodeOpus(packets), isOnBattery: () => false },
      {
        onTokens: (batch, take) => {
          this.#takeId = take.id;
          this.#page.open(true);
          this.#page.add(batch, take);
        },
        endSentence: () => this.#page.endSentence(),
        onProgress: () => this.#onProgress(),
        onComplete: () => {
          this.#page.close();
          this.completions += 1;
        },
        onEnd: (end) => this.ends.push(end),
      },
    );
  }

  #createModel(): SpeechModel {
    return {
      transcribe: (window) => {
        const lengthMs = (window.length * 1_000) / sampleRate;
        this.maxWindowMs = Math.max(this.maxWindowMs, lengthMs);
        return new Promise((resolve, reject) => {
          this.clock.after(lengthMs * this.slowness, () => {
            try {
              this.failCall();
              resolve(this.#model.recognize(readWords(window), lengthMs));
            } catch (error) {
              reject(error);
            }
          });
        });
      },
      detectSpeech: detectByLevel,
      dispose: () => {},
    };
  }

  #addTokens({ tokens, endpoint }: RelayTokens): void {
    if (endpoint) this.endpoints += 1;
    this.interim = "";
    for (const { text, is_final, start_ms = 0, end_ms = 0 } of tokens) {
      if (!is_final) this.interim += text;
      else
        this.words.push({
          text: text.trim(),
          startMs: start_ms,
          endMs: end_ms,
          takeId: this.#takeId,
        });
    }
  }

  #onProgress(): void {
    this.maxBufferedMs = Math.max(this.maxBufferedMs, this.recognizer.bufferedMs);
    for (const take of this.takes) {
      this.maxChunksInMemory = Math.max(this.maxChunksInMemory, take.chunksInMemory);
      take.release(this.endMs);
    }
  }
}
