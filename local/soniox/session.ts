import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import { parseJson } from "#local/json-body.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import {
  type AudioReader,
  createContainerReader,
  createPcmReader,
  decodedSampleRate,
  type Sound,
} from "./audio-reader.ts";
import { Echo } from "./echo.ts";
import { createErrorFrame, type ErrorStatus, type FailureSettings } from "./failure-injection.ts";
import { Hearing } from "./hearing.ts";
import { AudioError } from "./ogg.ts";
import { type Progress, Recogniser } from "./recogniser.ts";
import { SpeechSession } from "./speech-stand-in.ts";
import { controlMessage, isValidKey, parseStart, type StartMessage } from "./start-message.ts";
import { StreamTranslator, type WantedTranslation } from "./stream-translator.ts";

/** A session in the answer of `GET /soniox/control`. */
export interface SessionReport {
  id: string;
  open: boolean;
  /** The start message without its key; null before it arrives. */
  start: StartMessage | null;
  bytesReceived: number;
  audioFrames: number;
  keepalives: number;
  finalizes: number;
  /** The error that ended the session, or null. */
  error: ErrorStatus | null;
}

export interface SessionOptions {
  failures: FailureSettings;
  /** The key of the `Authorization` header, or null. */
  bearer: string | null;
  acceptsKeyInStart: boolean;
  /** Longest time without audio or keepalive, ms; also the time limit for the start message. */
  idleMs: number;
}

/** Sound that a session may get at once; the service does not say how long a burst is "prolonged". */
const burstMs = 30_000;
/** Audio after which an answer is sent even without new tokens. */
const progressEveryMs = 200;

/** One session of the service: a WebSocket from its start message to `finished` or an error. */
export class Session extends SpeechSession<SessionReport> {
  private recogniser: Recogniser | null = null;
  private echo: Echo | null = null;
  private reader: AudioReader | null = null;
  /** Frames that wait for the decoder of a container; null when none is being loaded. */
  private waiting: [Buffer, boolean][] | null = null;
  /** Since when the session gets sound, and how much it got, ms. */
  private soundSince: number | null = null;
  private soundMs = 0;
  private reportedMs = 0;
  private hasSentInterim = false;

  constructor(
    socket: WebSocket,
    private readonly options: SessionOptions,
  ) {
    const report: SessionReport = {
      id: randomUUID(),
      open: true,
      start: null,
      bytesReceived: 0,
      audioFrames: 0,
      keepalives: 0,
      finalizes: 0,
      error: null,
    };
    super(socket, report, options.idleMs);
    if (options.bearer !== null && !isValidKey(options.bearer)) this.fail(401);
  }

  /** Sends the error of `status` and closes. */
  fail(status: ErrorStatus, message?: string, type?: string): void {
    if (this.report.error !== null || !this.report.open) return;
    this.report.error = status;
    this.socket.send(JSON.stringify(createErrorFrame(status, this.report.id, message, type)));
    this.close(1000);
  }

  protected onIdle(): void {
    this.fail(408, this.report.start ? "Input too slow" : "Start request timeout");
  }

  protected receive(bytes: Buffer, isBinary: boolean): void {
    if (this.waiting) this.waiting.push([bytes, isBinary]);
    else if (this.report.start === null) {
      if (isBinary) this.fail(400, "Start request is missing");
      else this.start(bytes.toString());
    } else if (isBinary) this.receiveAudio(bytes);
    else this.receiveText(bytes.toString());
  }

  private start(text: string): void {
    const parsed = parseStart(parseJson(text), this.options);
    if ("error" in parsed) {
      this.fail(parsed.error, parsed.message, parsed.type);
      return;
    }
    const { failures } = this.options;
    if (failures.errorOnStart !== null && failures.errorTimes > 0) {
      failures.errorTimes -= 1;
      this.fail(failures.errorOnStart);
      return;
    }
    const { start } = parsed;
    if (isRefused(start.translation, failures.refusedTargets)) {
      this.fail(400, "translation target_language is not supported");
      return;
    }
    this.report.start = start;
    const isRaw = start.audio_format === "pcm_s16le";
    if (isRaw) this.reader = createPcmReader(start.sample_rate, start.num_channels);
    else void this.loadDecoder();
    const identifiesLanguage = start.enable_language_identification ?? false;
    const hearing = new Hearing(failures);
    if (typeof start.context === "object") hearing.tell(start.context.terms ?? []);
    const terms = typeof start.context === "object" ? start.context.translation_terms : [];
    const translator = start.translation ? new StreamTranslator(start.translation, terms) : null;
    this.echo = new Echo(start.language_hints?.[0] ?? "en", translator);
    this.recogniser = new Recogniser({
      hearing,
      sampleRate: isRaw ? start.sample_rate : decodedSampleRate,
      diarization: start.enable_speaker_diarization ?? false,
      // Who wants to know no language speaks English.
      languages: start.language_hints ?? (identifiesLanguage ? [] : ["en"]),
      identifiesLanguage,
      endpointDelayMs: start.enable_endpoint_detection ? start.max_endpoint_delay_ms : null,
      translator,
    });
  }

  private async loadDecoder(): Promise<void> {
    this.waiting = [];
    this.reader = await createContainerReader();
    const { waiting } = this;
    this.waiting = null;
    for (const [bytes, isBinary] of waiting) {
      if (this.report.open && !this.isEnding) this.receive(bytes, isBinary);
    }
  }

  private receiveAudio(bytes: Buffer): void {
    this.report.bytesReceived += bytes.length;
    this.report.audioFrames++;
    const sound = this.readSound(() => this.reader?.read(bytes) ?? null);
    if (!sound) return;
    this.soundSince ??= performance.now();
    this.soundMs += sound.durationMs;
    const { pace } = this.options.failures;
    if (this.soundMs > burstMs + (performance.now() - this.soundSince) * pace) {
      this.fail(503, "Cannot continue request (code 7). Please restart the request.");
      return;
    }
    if (!this.options.failures.echo) this.recognise(sound);
    else if (this.echo) this.send(this.echo.answer(sound.durationMs));
  }

  /** What `read` returns; null after the error of audio that cannot be read. */
  private readSound<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof AudioError)) throw error;
      this.fail(400, `Audio data decode error: ${error.message}`);
      return null;
    }
  }

  private receiveText(text: string): void {
    if (text === "") {
      this.isEnding = true;
      this.finish();
      return;
    }
    const parsed = controlMessage.safeParse(parseJson(text));
    if (!parsed.success) {
      this.fail(400, "Unknown control message");
      return;
    }
    switch (parsed.data.type) {
      case "keepalive":
        this.report.keepalives++;
        return;
      case "finalize":
        this.report.finalizes++;
        if (this.options.failures.echo) {
          if (this.echo) this.send(this.echo.finalize());
          return;
        }
        this.recogniser?.finalize();
        this.recogniser?.addMark("<fin>");
        this.sendProgress();
        // The mark may come before the translations of the words that it closes.
        if (this.recogniser?.finalizeTranslations()) this.sendProgress();
        return;
      default:
        parsed.data satisfies never;
    }
  }

  private recognise(sound: Sound): void {
    const samples = this.readSound(() => sound.decode());
    if (!this.recogniser || !samples) return;
    this.recogniser.feed(samples);
    if (this.recogniser.totalMs > this.options.failures.maxSessionMs) {
      this.fail(413);
      return;
    }
    const progress = this.recogniser.takeProgress();
    const hasNews = progress.tokens.length > 0 || this.hasSentInterim;
    if (hasNews || progress.total_audio_proc_ms - this.reportedMs >= progressEveryMs)
      this.send(progress);
  }

  private finish(): void {
    this.recogniser?.finalize();
    this.recogniser?.finalizeTranslations();
    this.sendProgress();
    const last = this.recogniser?.takeProgress();
    this.socket.send(JSON.stringify({ ...last, tokens: [], finished: true }));
    this.close(1000);
  }

  private sendProgress(): void {
    if (this.recogniser) this.send(this.recogniser.takeProgress());
  }

  private send(progress: Progress): void {
    this.reportedMs = progress.total_audio_proc_ms;
    this.hasSentInterim = progress.tokens.some((token) => !token.is_final);
    this.socket.send(JSON.stringify(progress));
  }
}

function isRefused(
  wanted: WantedTranslation | undefined,
  refused: readonly SpokenLanguage[],
): boolean {
  if (wanted === undefined) return false;
  return wanted.type === "one_way"
    ? refused.includes(wanted.target_language)
    : refused.includes(wanted.language_a) || refused.includes(wanted.language_b);
}
