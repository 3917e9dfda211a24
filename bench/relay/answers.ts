interface Answer {
  type?: string;
  seq?: number;
  tokens?: readonly { text: string; is_final: boolean }[];
}

/**
 * What one connection has sent and got back. The echo answers each chunk with one final word, the chunk's number, so
 * every word must come back once and in order; a room acknowledges every chunk besides. Words that are translated have
 * letters and marks.
 */
export class EchoAnswers {
  #sent = 0;
  /** How often each word came back. */
  readonly #counts: number[] = [];
  #latest = -1;
  #isInOrder = true;
  #acknowledged = -1;
  #isFinalized = false;

  get sent(): number {
    return this.#sent;
  }

  /** @returns the chunk's number */
  addChunk(): number {
    this.#sent += 1;
    return this.#sent - 1;
  }

  /** @returns the chunks whose words `answer` brings for the first time */
  receive(answer: Answer): number[] {
    if (answer.type === "ack") this.#acknowledged = answer.seq ?? -1;
    if (answer.type === "finalized") this.#isFinalized = true;
    const chunks: number[] = [];
    for (const { text, is_final } of answer.tokens ?? []) {
      const word = /^ ?(?:word)?(\d+)\.?$/i.exec(text)?.[1];
      if (!is_final || word === undefined) continue;
      const chunk = Number(word);
      if (chunk <= this.#latest) this.#isInOrder = false;
      this.#latest = Math.max(this.#latest, chunk);
      const count = this.#counts[chunk] ?? 0;
      this.#counts[chunk] = count + 1;
      if (count === 0) chunks.push(chunk);
    }
    return chunks;
  }

  /** True when the word of every chunk is back. */
  hasAllWords(): boolean {
    return this.countMissingWords() === 0;
  }

  countMissingWords(): number {
    return this.#sent - this.#counts.filter((count) => count > 0).length;
  }

  /** True when a room has said that it has finished, and has acknowledged every chunk. */
  isComplete(): boolean {
    return this.#isFinalized && this.#acknowledged === this.#sent - 1;
  }

  /** What is wrong; null: nothing. `acknowledges`: a room, which was asked to finish. */
  findFault(acknowledges: boolean): string | null {
    if (this.#sent === 0) return "no chunk was sent";
    const missing = this.countMissingWords();
    if (missing > 0) return `${missing} of ${this.#sent} chunks have no word`;
    if (!this.#isInOrder || this.#counts.length !== this.#sent)
      return "words are doubled or out of order";
    if (acknowledges && !this.isComplete())
      return `${this.#sent - 1 - this.#acknowledged} of ${this.#sent} chunks are not acknowledged`;
    return null;
  }
}
