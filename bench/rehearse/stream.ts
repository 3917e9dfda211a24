import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { parseJson } from "#local/json-body.ts";

interface StreamAnswer {
  /** ms since the connection was asked for. */
  atMs: number;
  body: unknown;
}

/** Without any answer for so long, a service is not waited for. */
const answerTimeoutMs = 45_000;

/** A socket to a speech service, and what came over it. */
export class Stream {
  readonly answers: StreamAnswer[] = [];
  /** Close code, or null while the socket is open. */
  closeCode: number | null = null;
  /** The answer in place of a stream, or null. */
  refusal: { status: number; body: unknown } | null = null;
  readonly #socket: WebSocket;
  readonly #since = performance.now();
  #wake = () => {};

  constructor(url: string, headers: Record<string, string>) {
    this.#socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.#socket.on("message", (data) => {
      this.answers.push({ atMs: this.#elapsedMs, body: parseJson(String(data)) });
      this.#wake();
    });
    this.#socket.on("unexpected-response", (_, response) => {
      let text = "";
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () => {
        this.refusal = { status: response.statusCode ?? 0, body: parseJson(text) };
        this.closeCode = 1006;
        this.#wake();
      });
    });
    this.#socket.on("close", (code) => {
      this.closeCode ??= code;
      this.#wake();
    });
    // Its close event follows.
    this.#socket.on("error", () => {});
  }

  get #elapsedMs(): number {
    return Math.round(performance.now() - this.#since);
  }

  /** False where the service refuses the connection. @throws where it cannot be reached */
  async open(): Promise<boolean> {
    let wasOpen = false;
    this.#socket.once("open", () => {
      wasOpen = true;
      this.#wake();
    });
    await this.until(() => wasOpen);
    if (!wasOpen && this.refusal === null) throw new Error("no connection");
    return wasOpen;
  }

  send(data: string | object | Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const isRaw = typeof data === "string" || data instanceof Uint8Array;
    this.#socket.send(isRaw ? data : JSON.stringify(data));
  }

  /** Sends sound at `pace` times its own; stops when the stream ends. */
  async sendSound(chunks: readonly Uint8Array[], chunkMs: number, pace: number): Promise<void> {
    const since = performance.now();
    for (const [index, chunk] of chunks.entries()) {
      if (this.closeCode !== null) return;
      this.send(chunk);
      const aheadMs = ((index + 1) * chunkMs) / pace - (performance.now() - since);
      if (aheadMs > 0) await delay(aheadMs);
    }
  }

  /** Resolves when `isDone`, or when the stream has ended. @throws when nothing comes */
  async until(isDone: () => boolean, timeoutMs = answerTimeoutMs): Promise<void> {
    while (!isDone() && this.closeCode === null) {
      const woken = new Promise<true>((resolve) => {
        this.#wake = () => resolve(true);
      });
      const timeout = new AbortController();
      const silence = delay(timeoutMs, false, { signal: timeout.signal }).catch(() => false);
      const isAwake = await Promise.race([woken, silence]);
      timeout.abort();
      if (!isAwake) {
        this.end();
        throw new Error("no answer");
      }
    }
  }

  async closed(timeoutMs?: number): Promise<void> {
    await this.until(() => this.closeCode !== null, timeoutMs);
  }

  end(): void {
    this.#socket.terminate();
  }
}
