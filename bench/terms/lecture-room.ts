import type { Socket } from "#client/lib/socket.ts";
import type { RelayTransport } from "#client/recognition/room/transport.ts";
import { ResultsWriter } from "#local/deepgram/results.ts";
import { createPcmReader } from "#local/soniox/audio-reader.ts";
import { Hearing, type HearingSettings } from "#local/soniox/hearing.ts";
import { Recogniser, type RecogniserOptions } from "#local/soniox/recogniser.ts";
import { parseStart } from "#local/soniox/start-message.ts";
import { StreamTranslator } from "#local/soniox/stream-translator.ts";
import { parseClientFrame } from "#server/recording/room/client-frames.ts";
import type {
  ProviderMessage,
  ProviderStart,
  RoomEffect,
  RoomEvent,
} from "#server/recording/room/events.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { captureSampleRate } from "#shared/limits.ts";
import type { SpeechTerm } from "#shared/relay.ts";
import type { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import {
  createGrant,
  createProviderError,
  hour,
  TestRoom,
} from "#tests/unit/server/recording/room/test-room.ts";
import { listKeyterms, toDeepgramUrl } from "#worker/adapters/deepgram-address.ts";
import { parseDeepgramMessage } from "#worker/adapters/deepgram-messages.ts";
import { parseSonioxMessage, toSonioxStart } from "#worker/adapters/soniox-messages.ts";

export const services = ["Soniox", "Deepgram"] as const;
export type Service = (typeof services)[number];

const address = { url: "wss://api.deepgram.com/v1/listen", model: "nova-3" };

/** A stream of a service: its adapter's messages to and from its stand-in, without a socket. */
interface Stream {
  read(audio: Uint8Array): ProviderMessage[];
  finalize(): ProviderMessage[];
  changeTerms?(terms: readonly SpeechTerm[]): void;
}

const isMessage = (message: ProviderMessage | null) => message !== null;

/** Languages into which the stand-in refuses to translate. */
type Refused = readonly SpokenLanguage[];

function openSoniox(
  given: ProviderStart,
  settings: HearingSettings,
  refused: Refused,
): Stream | ProviderMessage {
  const parsed = parseStart(JSON.parse(JSON.stringify(toSonioxStart(given))), {
    bearer: "key",
    acceptsKeyInStart: false,
  });
  if ("error" in parsed) throw new Error(parsed.message);
  const { context, translation, language_hints: languages } = parsed.start;
  if (translation?.type === "one_way" && refused.includes(translation.target_language))
    return { ...refusal, detail: "translation target_language is not supported" };
  const hearing = new Hearing(settings);
  hearing.tell((typeof context === "object" && context.terms) || []);
  const terms = typeof context === "object" ? context.translation_terms : [];
  const recogniser = createRecogniser(hearing, given.endpointDelayMs, {
    languages: languages ?? [],
    identifiesLanguage: parsed.start.enable_language_identification ?? false,
    translator: translation ? new StreamTranslator(translation, terms) : null,
  });
  const reader = createPcmReader(captureSampleRate, 1);
  const report = () => [parseSonioxMessage(recogniser.takeProgress())].filter(isMessage);
  return {
    read(audio) {
      recogniser.feed(reader.read(audio).decode());
      return report();
    },
    finalize() {
      recogniser.finalize();
      recogniser.addMark("<fin>");
      const words = report();
      return recogniser.finalizeTranslations() ? [...words, ...report()] : words;
    },
  };
}

const refusal = createProviderError(400);

function openDeepgram(given: ProviderStart, settings: HearingSettings): Stream {
  const hearing = new Hearing(settings);
  const { searchParams } = new URL(toDeepgramUrl(address, given));
  hearing.tell(searchParams.getAll("keyterm"));
  const recogniser = createRecogniser(hearing, Number(searchParams.get("endpointing")));
  const reader = createPcmReader(captureSampleRate, 1);
  const writer = new ResultsWriter("stream", "en");
  const report = (flush: "Finalize" | null) =>
    writer
      .write(recogniser.takeProgress(), flush)
      .map((message) => parseDeepgramMessage(message, "en"))
      .filter(isMessage);
  return {
    read(audio) {
      recogniser.feed(reader.read(audio).decode());
      return report(null);
    },
    finalize() {
      recogniser.finalize();
      return report("Finalize");
    },
    changeTerms: (terms) => hearing.tell(listKeyterms({ ...given, terms })),
  };
}

const createRecogniser = (
  hearing: Hearing,
  endpointDelayMs: number,
  options: Partial<RecogniserOptions> = {},
) =>
  new Recogniser({
    hearing,
    endpointDelayMs,
    sampleRate: captureSampleRate,
    diarization: false,
    languages: ["en"],
    identifiesLanguage: false,
    ...options,
  });

/** A recording's room for one page, with the streams that it opens. */
export class LectureRoom extends TestRoom implements RelayTransport {
  /** What the streams were told. */
  readonly told = { sessions: 0, changes: 0, most: 0 };
  readonly #streams = new Map<number, Stream>();
  #answer: (frame: string) => void = () => {};
  #lose: () => void = () => {};
  #cancelAlarm = () => {};

  constructor(
    private readonly clock: ManualClock,
    private readonly service: Service,
    private readonly hearing: HearingSettings,
    private readonly refused: Refused = [],
  ) {
    super();
  }

  /** The provider's stream is lost. */
  loseStream(): void {
    this.#dispatch({ type: "providerClosed", sessionId: this.session, code: 1006 });
  }

  /** The page's connection is lost. */
  loseConnection(): void {
    this.#dispatch({ type: "clientClosed", socketId: "a", code: 1006 });
    this.#lose();
  }

  override connect(...given: unknown[]): never {
    const [, handlers] = given as Parameters<RelayTransport["connect"]>;
    this.#answer = (frame) => handlers.message(frame);
    this.#lose = () => handlers.close(1006, "");
    super.connect("a", createGrant({ limitMs: 10 * hour }));
    queueMicrotask(() => handlers.open());
    const socket: Socket = {
      send: (frame) => {
        const data = typeof frame === "string" ? frame : frame.slice().buffer;
        this.#dispatch({ type: "clientMessage", socketId: "a", message: parseClientFrame(data) });
      },
      close: (code) => this.#dispatch({ type: "clientClosed", socketId: "a", code }),
    };
    return socket as never;
  }

  async fetchRefusal(): Promise<null> {
    return null;
  }

  override step(event: RoomEvent): RoomEffect[] {
    this.now = this.clock.now();
    super.step(event, 0.5);
    const effects = this.take();
    for (const effect of effects) this.#run(effect);
    return effects;
  }

  /** What answers an effect comes after all effects of its step. */
  #dispatch(event: RoomEvent): void {
    queueMicrotask(() => this.step(event));
  }

  #report(sessionId: number, messages: readonly ProviderMessage[] = []): void {
    for (const message of messages) this.#dispatch({ type: "providerMessage", sessionId, message });
  }

  #run(effect: RoomEffect): void {
    switch (effect.type) {
      case "send": {
        const frame = JSON.stringify(effect.message);
        queueMicrotask(() => this.#answer(frame));
        return;
      }
      case "openProvider": {
        const { sessionId, start } = effect;
        const stream = this.#open(start);
        if ("type" in stream) {
          this.#dispatch({ type: "providerOpened", sessionId });
          this.#report(sessionId, [stream]);
          return;
        }
        this.#streams.set(sessionId, stream);
        this.told.sessions += 1;
        this.#noteTerms(start.terms);
        const canChangeTerms = stream.changeTerms !== undefined;
        this.#dispatch({ type: "providerOpened", sessionId, canChangeTerms });
        return;
      }
      case "sendAudio":
        this.#report(effect.sessionId, this.#streams.get(effect.sessionId)?.read(effect.data));
        return;
      case "sendControl":
        if (effect.control === "finalize")
          this.#report(effect.sessionId, this.#streams.get(effect.sessionId)?.finalize());
        return;
      case "changeTerms":
        this.#streams.get(effect.sessionId)?.changeTerms?.(effect.terms);
        this.#noteTerms(effect.terms);
        return;
      case "closeProvider":
        this.#streams.delete(effect.sessionId);
        return;
      case "writeUsage":
        queueMicrotask(() => this.usageFlushed());
        return;
      case "setAlarm":
        this.#cancelAlarm();
        this.#cancelAlarm = this.clock.after(effect.at - this.clock.now(), () =>
          this.step({ type: "alarm" }),
        );
        return;
      case "closeClient":
        throw new Error(`the room closed the connection: ${effect.reason}`);
    }
  }

  #open(start: ProviderStart): Stream | ProviderMessage {
    return this.service === "Soniox"
      ? openSoniox(start, this.hearing, this.refused)
      : openDeepgram(start, this.hearing);
  }

  #noteTerms({ length }: readonly SpeechTerm[]): void {
    this.told.changes += 1;
    this.told.most = Math.max(this.told.most, length);
  }
}
