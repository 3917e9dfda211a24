import { BackupError } from "./backup-error.ts";

/** JSON that comes in pieces and that nobody has checked. What is parsed of it has a bounded size in memory. */

export interface JsonBounds {
  bytes: number;
  /**
   * Braces, brackets, commas and colons outside of strings. An empty object is two bytes of JSON and thirty times as many
   * in memory.
   */
  marks: number;
}

/** Deeper than any file of a backup. */
const depthMax = 32;

const codes = (text: string) => Array.from(text, (character) => character.charCodeAt(0));
const [quote, backslash, comma, colon, openList, closeList, openObject, closeObject] =
  codes('"\\,:[]{}');

type Blocks = AsyncIterable<Uint8Array<ArrayBuffer>>;

/** Counts what JSON is made of, without parsing it. */
class JsonCounter {
  depth = 0;
  marks = 0;
  #isString = false;
  #isEscaped = false;

  /** Whether `byte` is a mark outside of strings. */
  add(byte: number): boolean {
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isString = false;
      return false;
    }
    if (byte === quote) this.#isString = true;
    else if (byte === openList || byte === openObject) this.depth += 1;
    else if (byte === closeList || byte === closeObject) this.depth -= 1;
    else if (byte !== comma && byte !== colon) return false;
    if (byte === quote) return false;
    this.marks += 1;
    return true;
  }
}

/** @throws BackupError `broken`, `unsafe` */
export async function readJson(blocks: Blocks, bounds: JsonBounds): Promise<unknown> {
  const counter = new JsonCounter();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const block of blocks) {
    bytes += block.byteLength;
    if (bytes > bounds.bytes) throw new BackupError("unsafe");
    for (const byte of block) if (counter.add(byte)) check(counter, bounds);
    parts.push(block);
  }
  return parse(parts);
}

/**
 * The items of a list, one by one.
 *
 * @param bounds of an item
 * @throws BackupError `broken`, `unsafe`
 */
export async function* readJsonItems(blocks: Blocks, bounds: JsonBounds): AsyncGenerator<unknown> {
  const counter = new JsonCounter();
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let count = 0;
  let isInside = false;
  let isBehind = false;
  const add = (part: Uint8Array<ArrayBuffer>) => {
    bytes += part.byteLength;
    if (bytes > bounds.bytes) throw new BackupError("unsafe");
    parts.push(part);
  };
  for await (const block of blocks) {
    let from = 0;
    for (let at = 0; at < block.byteLength; at += 1) {
      const byte = block[at] ?? 0;
      const isMark = counter.add(byte);
      if (isMark) check(counter, bounds);
      if (!isInside) {
        if (isBlank(byte)) continue;
        if (isBehind || byte !== openList) throw new BackupError("broken");
        isInside = true;
        from = at + 1;
        continue;
      }
      const isEnd = isMark && counter.depth === 0;
      if (!isEnd && !(isMark && byte === comma && counter.depth === 1)) continue;
      add(block.subarray(from, at));
      from = at + 1;
      if (isEnd) {
        if (byte !== closeList) throw new BackupError("broken");
        isInside = false;
        isBehind = true;
      }
      if (isEnd && count === 0 && parts.every((part) => part.every(isBlank))) continue;
      yield parse(parts);
      count += 1;
      parts = [];
      bytes = 0;
      counter.marks = 0;
    }
    if (isInside) add(block.subarray(from));
  }
  if (!isBehind) throw new BackupError("broken");
}

/** @throws BackupError `unsafe` */
function check({ depth, marks }: JsonCounter, bounds: JsonBounds): void {
  if (depth > depthMax || marks > bounds.marks) throw new BackupError("unsafe");
}

/** @throws BackupError `broken` */
function parse(parts: readonly Uint8Array<ArrayBuffer>[]): unknown {
  const decoder = new TextDecoder("utf-8");
  try {
    const texts = parts.map((part) => decoder.decode(part, { stream: true }));
    return JSON.parse(texts.join("") + decoder.decode());
  } catch {
    throw new BackupError("broken");
  }
}

/** White space of JSON. */
const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
