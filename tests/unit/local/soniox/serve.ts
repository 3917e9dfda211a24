import { once } from "node:events";
import { WebSocket } from "ws";
import type { SessionReport } from "#local/soniox/session.ts";
import type { SpeechReport } from "#local/soniox/speech-stand-in.ts";
import { createSonioxStandIn, type SonioxOptions } from "#local/soniox/stand-in.ts";
import { serve as serveStandIn } from "#tests/unit/local/serve.ts";

export interface Answer {
  tokens: {
    text: string;
    is_final: boolean;
    start_ms?: number;
    end_ms?: number;
    speaker?: string;
    translation_status?: string;
  }[];
  final_audio_proc_ms?: number;
  total_audio_proc_ms?: number;
  finished?: boolean;
  error_code?: number;
  error_type?: string;
  error_message?: string;
  request_id?: string;
}

/** Serves the stand-in on a port of its own. */
export async function serve(options: SonioxOptions = {}) {
  const { url, close } = await serveStandIn(createSonioxStandIn(options));
  const control = `${url}/soniox/control`;
  return {
    url: `${url.replace("http", "ws")}/soniox/transcribe-websocket`,
    host: url.replace("http://", ""),
    close,
    async control(body: unknown): Promise<Response> {
      return fetch(control, { method: "POST", body: JSON.stringify(body) });
    },
    async report(): Promise<SpeechReport<SessionReport>> {
      return (await (await fetch(control)).json()) as SpeechReport<SessionReport>;
    },
  };
}

/** A raw socket to the stand-in that collects its answers. */
export class StreamClient {
  readonly answers: Answer[] = [];
  closeCode: number | null = null;
  private readonly socket: WebSocket;
  private wake: () => void = () => {};

  constructor(url: string, key?: string) {
    this.socket = new WebSocket(
      url,
      key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } },
    );
    this.socket.on("message", (data) => {
      this.answers.push(JSON.parse(String(data)));
      this.wake();
    });
    this.socket.on("close", (code) => {
      this.closeCode = code;
      this.wake();
    });
    this.socket.on("error", () => this.wake());
  }

  async open(): Promise<this> {
    await once(this.socket, "open");
    return this;
  }

  send(data: string | object | Uint8Array): this {
    if (data instanceof Uint8Array || typeof data === "string") this.socket.send(data);
    else this.socket.send(JSON.stringify(data));
    return this;
  }

  /** Resolves once `isDone` is true; checks after every answer and on close. */
  async until(isDone: (client: StreamClient) => boolean): Promise<this> {
    while (!isDone(this)) {
      if (this.closeCode !== null) throw new Error(`closed with ${this.closeCode} before that`);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this;
  }

  closed(): Promise<this> {
    return this.until((client) => client.closeCode !== null);
  }

  get last(): Answer | undefined {
    return this.answers.at(-1);
  }

  /** Final words so far. */
  get text(): string {
    return this.answers
      .flatMap(({ tokens }) => tokens)
      .filter(({ text, is_final }) => is_final && !text.startsWith("<"))
      .map(({ text }) => text)
      .join("")
      .trim();
  }

  end(): void {
    this.socket.terminate();
  }
}

export const startRequest = {
  model: "stt-rt-v5",
  audio_format: "pcm_s16le",
  sample_rate: 16_000,
  num_channels: 1,
};
