import { relaySendWindow } from "#shared/limits.ts";
import type { RelayServerMessage } from "#shared/relay.ts";
import { Line, type SpokenLecture, toLanguageConfig } from "./support.ts";

/**
 * A browser that follows the relay's rules: it keeps a chunk until it is acknowledged, and reconnects
 * after a loss.
 */
export class RelayClient {
  words = "";
  finalMs = 0;
  lines: Line[] = [];
  connections = 0;
  readonly received: RelayServerMessage[] = [];
  readonly #take = crypto.randomUUID();
  #firstUnacked = 0;
  #sent = 0;
  #sendsLeadIn = false;

  constructor(
    readonly recordingId: string,
    readonly headers: Record<string, string>,
    readonly lecture: Pick<SpokenLecture, "codec" | "chunks" | "chunksWithLeadIn" | "languages">,
  ) {}

  get chunks(): readonly Uint8Array<ArrayBuffer>[] {
    return this.lecture.chunks;
  }

  get line(): Line {
    const line = this.lines.at(-1);
    if (!line) throw new Error("not connected");
    return line;
  }

  async connect(): Promise<void> {
    this.connections += 1;
    const line = await Line.open(this.recordingId, this.headers);
    this.lines.push(line);
    line.listen((message) => this.#receive(line, message));
    line.send({
      type: "config",
      sampleRate: 16_000,
      ...toLanguageConfig(this.lecture),
      version: 2,
      take: this.#take,
      codec: this.lecture.codec,
      audio: "binary",
      from: this.#firstUnacked,
      // The only take of its lecture begins with the lecture's clock.
      heldMs: this.finalMs,
      lectureEndMs: this.finalMs,
    });
    await line.message("config_acknowledged");
    this.#sendsLeadIn = true;
  }

  /** Sends the chunks up to `count`, including those sent on an earlier connection. */
  speak(count: number): void {
    const { chunks, chunksWithLeadIn } = this.lecture;
    for (let seq = Math.max(this.#sent, this.#firstUnacked); seq < count; seq += 1) {
      const withLeadIn = this.#sendsLeadIn ? chunksWithLeadIn[seq] : undefined;
      this.line.audio(seq, withLeadIn ?? chunks[seq] ?? new Uint8Array(), "binary");
      this.#sendsLeadIn = false;
    }
    this.#sent = Math.max(this.#sent, count);
  }

  /** Reconnects, and begins at the first unacknowledged chunk. */
  async restart(): Promise<void> {
    this.#sent = this.#firstUnacked;
    await this.connect();
  }

  /** Sends everything and waits for the last word, over any number of connections. */
  async finish(): Promise<void> {
    for (;;) {
      const { line } = this;
      const earlier = line.received.length;
      this.speak(this.chunks.length);
      line.send({ type: "finalize" });
      const end = await line.until(
        () => line.received.slice(earlier).find(({ type }) => type === "finalized") ?? line.closed,
      );
      if ("type" in end) break;
      await this.restart();
    }
    this.line.socket.close(1000);
  }

  /** As `finish`, on one connection, with no more chunks under way than a browser has. */
  async finishInWindow(): Promise<void> {
    const { length } = this.chunks;
    while (this.#firstUnacked + relaySendWindow < length) {
      const before = this.#firstUnacked;
      this.speak(before + relaySendWindow);
      const { line } = this;
      const end = await line.until(() => (this.#firstUnacked > before ? "acked" : line.closed));
      if (end !== "acked") throw new Error(`Closed at chunk ${before}: ${end.code} ${end.reason}`);
    }
    await this.finish();
  }

  #receive(line: Line, message: RelayServerMessage): void {
    if (line !== this.line) return;
    this.received.push(message);
    if (message.type === "ack") this.#firstUnacked = message.seq + 1;
    if (message.type !== "tokens") return;
    for (const token of message.tokens) {
      if (!token.is_final) continue;
      this.words += token.text;
      this.finalMs = Math.max(this.finalMs, token.end_ms ?? 0);
    }
  }
}
