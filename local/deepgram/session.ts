import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { WebSocket } from "ws";
import { z } from "zod";
import { parseJson } from "#local/json-body.ts";
import {
  type AudioReader,
  createContainerReader,
  createPcmReader,
  decodedSampleRate,
} from "#local/soniox/audio-reader.ts";
import { Hearing } from "#local/soniox/hearing.ts";
import { AudioError } from "#local/soniox/ogg.ts";
import { Recogniser } from "#local/soniox/recogniser.ts";
import { SpeechSession } from "#local/soniox/speech-stand-in.ts";
import { isSpokenLanguage, spokenLanguages } from "#shared/languages.ts";
import type { FailureSettings } from "./failure-injection.ts";
import { ResultsWriter } from "./results.ts";
import { WhisperLiveKitWriter } from "./whisper-live-kit.ts";

/** The parameters of a stream in a container; others are refused. */
const container = z.strictObject({
  model: z.string(),
  language: z.enum([...spokenLanguages, "multi"]),
  /** The most likely ones of `multi`. */
  language_hint: z.array(z.enum(spokenLanguages)).optional(),
  interim_results: z.literal("true"),
  punctuate: z.literal("true").optional(),
  smart_format: z.literal("true").optional(),
  diarize: z.enum(["true", "false"]).optional(),
  endpointing: z.coerce.number().int().optional(),
  keyterm: z.array(z.string()).optional(),
});
/** Raw audio says its format in the address. */
const raw = container.extend({
  encoding: z.literal("linear16"),
  sample_rate: z.coerce.number().int().min(8_000).max(48_000),
  channels: z.literal("1"),
});
export const streamParameters = z
  .union([raw, container])
  .refine(({ model, keyterm }) => keyterm === undefined || model.startsWith("nova-3"))
  .refine(({ keyterm = [] }) => !exceedsLimit(keyterm))
  .refine(
    ({ model, language, language_hint }) =>
      language_hint === undefined || (model.startsWith("nova-3") && language === "multi"),
  );
export type StreamParameters = z.infer<typeof streamParameters>;

const controlMessage = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["KeepAlive", "Finalize", "CloseStream"]) }),
  z.object({ type: z.literal("Configure"), keyterms: z.array(z.string()) }),
]);

/** A session in the answer of `GET /deepgram/control`. */
export interface SessionReport {
  id: string;
  open: boolean;
  parameters: StreamParameters;
  bytesReceived: number;
  keepalives: number;
  finalizes: number;
  answeredFinalizes: number;
  /** The stream's keyterms now, and how often they were replaced. */
  keyterms: string[];
  configures: number;
}

/** The service allows 500 tokens. It does not say what a token is; a byte is the least that one may be. */
const exceedsLimit = (keyterms: readonly string[]) => Buffer.byteLength(keyterms.join("")) > 500;
/** The service closes a stream this long after an update over the limit. */
const stoppedMs = 30_000;

/** A `Finalize` that finds no word and less audio than this is not answered. */
const answeredAudioMs = 2_000;

/** After `CloseStream`, a server that is late recognises a second of sound in this time. */
const lateSecondMs = 5;

interface SessionOptions {
  failures: FailureSettings;
  idleMs: number;
  reader: AudioReader;
}

/** The reader of the audio that `parameters` announce. */
export const createReader = async (parameters: StreamParameters): Promise<AudioReader> =>
  "encoding" in parameters ? createPcmReader(parameters.sample_rate, 1) : createContainerReader();

/** One stream of the service. */
export class Session extends SpeechSession<SessionReport> {
  readonly #failures: FailureSettings;
  readonly #recogniser: Recogniser;
  readonly #reader: AudioReader;
  readonly #writer: ResultsWriter;
  /** Null for a stream of the service. */
  readonly #ownWriter: WhisperLiveKitWriter | null;
  readonly #hearing: Hearing;
  readonly #samplesPerMs: number;
  /** Sound that has come and is not recognised yet. */
  #waiting: Float32Array[] = [];
  #waitingSamples = 0;
  /** An update had too many keyterms: nothing is transcribed any more. */
  #isStopped = false;

  constructor(
    socket: WebSocket,
    parameters: StreamParameters,
    { failures, idleMs, reader }: SessionOptions,
  ) {
    const report: SessionReport = {
      id: randomUUID(),
      open: true,
      parameters,
      bytesReceived: 0,
      keepalives: 0,
      finalizes: 0,
      answeredFinalizes: 0,
      keyterms: parameters.keyterm ?? [],
      configures: 0,
    };
    super(socket, report, idleMs);
    this.#reader = reader;
    this.#failures = failures;
    const { language, language_hint: hints = [] } = parameters;
    const onlyLanguage = isSpokenLanguage(language) ? language : null;
    this.#writer = new ResultsWriter(report.id, onlyLanguage);
    const { whisperLiveKit } = failures;
    this.#ownWriter = whisperLiveKit ? new WhisperLiveKitWriter(report.id, onlyLanguage) : null;
    this.#hearing = new Hearing(failures);
    this.#hearing.tell(report.keyterms);
    const sampleRate = "encoding" in parameters ? parameters.sample_rate : decodedSampleRate;
    this.#samplesPerMs = sampleRate / 1_000;
    this.#recogniser = new Recogniser({
      hearing: this.#hearing,
      sampleRate,
      diarization: parameters.diarize === "true",
      languages: onlyLanguage ? [onlyLanguage] : hints,
      identifiesLanguage: onlyLanguage === null,
      endpointDelayMs: parameters.endpointing ?? 10,
    });
    if (whisperLiveKit) this.#send([this.#createMetadata()]);
  }

  protected onIdle(): void {
    this.close(1011, "NET-0001");
  }

  protected receive(bytes: Buffer, isBinary: boolean): void {
    if (isBinary) {
      this.report.bytesReceived += bytes.length;
      this.#recognise(bytes);
      return;
    }
    const parsed = controlMessage.safeParse(parseJson(bytes.toString()));
    if (!parsed.success) {
      this.close(1008, "DATA-0000");
      return;
    }
    switch (parsed.data.type) {
      case "KeepAlive":
        this.report.keepalives += 1;
        return;
      case "Finalize":
        this.report.finalizes += 1;
        if (this.#failures.whisperLiveKit) this.#reject();
        else if (!this.#failures.ignoreFinalize) this.#finalize({ isEnd: false });
        return;
      case "Configure":
        if (this.#failures.whisperLiveKit) this.#reject();
        else this.#configure(parsed.data.keyterms);
        return;
      case "CloseStream":
        this.isEnding = true;
        if (this.#waiting.length === 0) this.#endStream();
        else void this.#catchUp();
        return;
      default:
        parsed.data satisfies never;
    }
  }

  #configure(keyterms: string[]): void {
    const { model } = this.report.parameters;
    const request_id = this.report.id;
    if (this.#failures.refuseKeyterms || !model.startsWith("nova-3")) {
      this.#send([{ type: "ConfigureFailure", request_id }]);
      return;
    }
    if (exceedsLimit(keyterms)) {
      this.#isStopped = true;
      setTimeout(() => this.close(1011, "NET-0000"), stoppedMs).unref();
      return;
    }
    this.report.keyterms = keyterms;
    this.report.configures += 1;
    this.#hearing.tell(keyterms);
    this.#send([{ type: "ConfigureSuccess", request_id, keyterms }]);
  }

  #recognise(bytes: Buffer): void {
    try {
      const samples = this.#reader.read(bytes).decode();
      const { deafAfterMs } = this.#failures;
      const receivedMs = this.#recogniser.totalMs + this.#waitingMs;
      if (deafAfterMs !== null && receivedMs >= deafAfterMs) return;
      if (samples.length > 0) this.#waiting.push(samples);
      this.#waitingSamples += samples.length;
    } catch (error) {
      if (!(error instanceof AudioError)) throw error;
      this.close(1008, "DATA-0000");
      return;
    }
    this.#hearUntil(this.#failures.lateMs);
  }

  get #waitingMs(): number {
    return this.#waitingSamples / this.#samplesPerMs;
  }

  /** Recognises the sound that has come, except for the last `lateMs`. */
  #hearUntil(lateMs: number): void {
    while (this.#waiting.length > 0 && this.#waitingMs > lateMs) {
      const samples = this.#waiting.shift() ?? new Float32Array();
      this.#waitingSamples -= samples.length;
      this.#recogniser.feed(samples);
    }
    const progress = this.#recogniser.takeProgress();
    const receivedMs = this.#recogniser.totalMs + this.#waitingMs;
    this.#send(this.#ownWriter?.write(progress, receivedMs) ?? this.#writer.write(progress));
  }

  async #catchUp(): Promise<void> {
    while (this.#waiting.length > 0 && this.report.open) {
      await delay(lateSecondMs);
      this.#hearUntil(Math.max(0, this.#waitingMs - 1_000));
    }
    if (this.report.open) this.#endStream();
  }

  #endStream(): void {
    this.#finalize({ isEnd: true });
    this.#send([this.#createMetadata()]);
    if (!this.#failures.silent) this.close(1000);
  }

  #finalize({ isEnd }: { isEnd: boolean }): void {
    this.#recogniser.finalize();
    const progress = this.#recogniser.takeProgress();
    if (this.#ownWriter !== null) {
      this.#send(this.#ownWriter.write(progress, this.#recogniser.totalMs, isEnd));
      return;
    }
    if (!this.#writer.hasPending(progress, answeredAudioMs)) return;
    if (!isEnd) this.report.answeredFinalizes += 1;
    this.#send(this.#writer.write(progress, isEnd ? "CloseStream" : "Finalize"));
  }

  #reject(): void {
    const description = "Unsupported message";
    this.socket.send(JSON.stringify({ type: "Error", description }));
    this.close(4400);
  }

  #createMetadata(): object {
    const duration = this.#recogniser.totalMs / 1_000;
    return { type: "Metadata", request_id: this.report.id, duration, channels: 1 };
  }

  #send(messages: readonly object[]): void {
    if (this.#failures.silent || this.#isStopped) return;
    for (const message of messages) this.socket.send(JSON.stringify(message));
  }
}
