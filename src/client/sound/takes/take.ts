import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { type ChunkData, chunkMs, createSilentChunk, isChunk } from "./chunk-codec.ts";
import { DiskCopy } from "./disk-copy.ts";
import { findNeededSound } from "./needed-sound.ts";
import type { StoredTake } from "./stored-take.ts";
import {
  addGap,
  addStretch,
  clipStretches,
  endGap,
  measureAbsent,
  measureFilled,
  type SpeechStretch,
  type TakeGap,
  toLectureGaps,
  toLectureMs,
} from "./take-gaps.ts";
import type { TakeChunk, TakeStorage } from "./take-storage.ts";

/** Bytes kept in memory when nothing can be stored: 33 minutes of PCM, 4 hours of Opus. */
export const memoryMaxBytes = 64 * 1024 * 1024;
/** Stored audio that also stays in memory: what is sent next or again. */
export const memoryWindowMs = 65_000;
/** What a chunk needs in memory besides its bytes. */
export const chunkOverheadBytes = 256;
const chunksPerRead = 128;

export interface TakeDeps {
  /** Null: chunks are kept in memory only. */
  storage: TakeStorage | null;
  clock: Clock;
  log: Log;
  events: TakeEvents;
}

/** What a take tells the lecture that it belongs to. */
export interface TakeEvents {
  /** Chunks were read from the storage, so sending may go on. */
  onLoaded(): void;
  onStorageState(): void;
  /** The disk is full, so kept sound was deleted, or this take is not kept any more. */
  onKeptRemoved(): void;
  /** `ms` of audio are lost. */
  onMissing(ms: number): void;
}

/**
 * One uninterrupted run of the microphone. Numbers its chunks from 0, keeps each in memory until the room has acknowledged
 * it and on disk (`DiskCopy`) until its words are saved; one that is not in memory is read back. Writing never delays
 * capture. Sending is the work of `TakeUploader`.
 *
 * @example
 * const take = new Take(deps, newTake(crypto.randomUUID(), lectureId, "opus"));
 * take.append(chunk, level); // chunk 0: in memory now, and soon on disk
 * take.place(0); // the room says where the take lies on the lecture's clock
 * take.getChunk(take.firstUnsent); // chunk 0, to be sent
 * take.acknowledge(0); // its words are on the page: it leaves the memory
 * take.end();
 * take.release(Infinity); // its words are saved: the take leaves the disk
 */
export class Take {
  readonly id: string;
  readonly codec: AudioCodec;
  readonly languages: Pick<StoredTake, "language" | "secondLanguage">;
  /** The chunks in memory, by number. */
  readonly #chunks = new Map<number, ChunkData>();
  #memoryBytes = 0;
  #isLoading = false;
  readonly #disk: DiskCopy;
  #events: TakeEvents;
  #record: StoredTake;
  #firstUnsent: number;
  #hasEnded: boolean;
  #isRemoved = false;
  /** The words of all chunks are saved, and the take is kept. */
  #isSaved = false;
  #resumedAtMs = 0;
  /** Chunks lost to full memory since the last one that was kept. */
  #droppedChunks = 0;

  /** `stored`: for a take that a closed tab has left; `heldMs`: end of its words on the page. */
  constructor(
    { storage, clock, log, events }: TakeDeps,
    take: StoredTake,
    stored?: { heldMs: number },
  ) {
    this.#events = events;
    this.id = take.id;
    this.codec = take.codec;
    this.languages = { language: take.language, secondLanguage: take.secondLanguage };
    this.#record = { ...take, heldMs: stored?.heldMs ?? 0 };
    this.#firstUnsent = take.firstSeq;
    this.#hasEnded = stored !== undefined;
    const copyDeps = {
      storage,
      clock,
      log,
      getRecord: () => this.#record,
      stopKeeping: () => this.#change({ isKept: false }),
      onWritten: (chunks: readonly TakeChunk[]) => this.#dropStored(chunks),
      onKeptRemoved: () => this.#events.onKeptRemoved(),
      onFailed: () => this.#events.onStorageState(),
    };
    this.#disk = new DiskCopy(copyDeps, stored !== undefined);
  }

  /** What recognises the rest. */
  get engine(): SpeechEngine {
    return this.#record.engine;
  }
  /**
   * What another engine has given already of the words of the rest: the end of `text`, up to `untilMs` on the lecture's
   * clock. Null: nothing.
   */
  get repeated(): StoredTake["repeated"] {
    const { repeated } = this.#record;
    if (repeated === null) return null;
    const endMs = Math.min(repeated.untilMs, this.lengthMs);
    return { ...repeated, untilMs: (this.offsetMs ?? 0) + endMs };
  }
  /** Number of the first chunk that is not acknowledged; `nextSeq` when there is none. */
  get firstUnsent(): number {
    return this.#firstUnsent;
  }
  /** The id under which the room knows the take, or the rest of it. */
  get relayId(): string {
    return this.#record.relayId ?? this.id;
  }
  get nextSeq(): number {
    return this.#record.nextSeq;
  }
  /** The sound stays on disk when its words are saved. */
  get isKept(): boolean {
    return this.#record.isKept;
  }
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  /** Nothing of the take is needed any more: it is deleted, also on disk, unless its sound is kept. */
  get isRemoved(): boolean {
    return this.#isRemoved || this.#isSaved;
  }
  /** The microphone has stopped and everything is acknowledged. */
  get isComplete(): boolean {
    return this.#hasEnded && this.#firstUnsent === this.nextSeq;
  }
  get chunkMs(): number {
    return chunkMs[this.codec];
  }
  /** Length of the audio that is not acknowledged, ms. */
  get unsentMs(): number {
    return (this.nextSeq - this.#firstUnsent) * this.chunkMs;
  }
  get lengthMs(): number {
    return this.nextSeq * this.chunkMs;
  }
  /** End of the words on the page, ms on the take's own clock. */
  get heldMs(): number {
    return this.#record.heldMs;
  }
  /** Length of the audio after the last word on the page, ms. */
  get untranscribedMs(): number {
    return Math.max(0, this.lengthMs - this.heldMs);
  }
  /** Position of chunk 0 on the lecture's clock, ms; null until the room has placed the take. */
  get offsetMs(): number | null {
    return this.#record.placements.at(-1)?.offsetMs ?? null;
  }
  /** Words before this time on the lecture's clock were on the page when the room placed the take last. */
  get resumedAtMs(): number {
    return this.#resumedAtMs;
  }
  /** Where the words at `ms` on the clock of the last placement lie: those that were on the page stay where they were. */
  findPlace(ms: number): number {
    return toLectureMs(this.#record.placements, ms - (this.offsetMs ?? 0)) ?? ms;
  }
  /** Words after this time on the lecture's clock are on the page; null: none are. */
  get wordsUntilMs(): number | null {
    const { wordsUntilMs } = this.#record;
    return wordsUntilMs === null ? null : (this.offsetMs ?? 0) + wordsUntilMs;
  }
  /** Speech without words, ascending, ms on the take's own clock. */
  get wordless(): readonly SpeechStretch[] {
    return this.#record.wordless;
  }
  /** What has become of its sound. */
  get report(): RecordedTake {
    const { startedAt, gaps, wordless, placements } = this.#record;
    const { id, codec, chunkMs, lengthMs } = this;
    const sentMs = this.#firstUnsent * chunkMs;
    const absentMs = measureAbsent(gaps) + this.#droppedChunks * chunkMs;
    const wordsMs = Math.min(this.heldMs, sentMs);
    return {
      id,
      codec,
      startedAt: startedAt ?? 0,
      capturedMs: Math.round(lengthMs + absentMs),
      acknowledgedMs: Math.round(sentMs - measureFilled(gaps, 0, sentMs)),
      transcribedMs: Math.round(wordsMs - measureFilled(gaps, 0, wordsMs)),
      missingMs: Math.round(measureFilled(gaps, 0, lengthMs) + absentMs),
      gaps: toLectureGaps(gaps, wordless, placements),
    };
  }
  /** Closing the tab now would lose captured audio. */
  get hasUnpersistedAudio(): boolean {
    return this.nextSeq > Math.max(this.#firstUnsent, this.#disk.storedUntil ?? 0);
  }
  /** `full`: the disk refuses chunks, which are kept in memory; `memoryFull`: memory is full too, so chunks are lost. */
  get storageState(): "ok" | "full" | "memoryFull" {
    if (this.#droppedChunks > 0) return "memoryFull";
    return this.#disk.hasFailed ? "full" : "ok";
  }
  get chunksInMemory(): number {
    return this.#chunks.size;
  }

  /** `level`: see `measureLevel`. */
  append(data: ChunkData, level: number): void {
    if (this.#memoryBytes >= memoryMaxBytes) {
      this.#droppedChunks += 1;
      if (this.#droppedChunks === 1) this.#events.onStorageState();
      return;
    }
    this.#reportDropped();
    const seq = this.nextSeq;
    // Nothing is unsent, so the chunks that are missing on disk are not needed.
    if (this.#disk.hasFailed && this.#firstUnsent === seq) {
      this.#disk.retry();
      this.#events.onStorageState();
    }
    this.#keepInMemory(seq, data);
    this.#record = { ...this.#record, nextSeq: seq + 1 };
    this.#disk.append({ seq, data, level });
  }

  end(): void {
    this.#reportDropped();
    this.#hasEnded = true;
  }

  addGap(gap: TakeGap): void {
    this.#change({ gaps: addGap(this.#record.gaps, gap) });
  }

  /** Somebody speaks in `stretch`, and no words were found in it. Before the words on the page, that is known. */
  addWordless(stretch: SpeechStretch): void {
    const fromMs = this.#resumedAtMs - (this.offsetMs ?? 0);
    const [added] = clipStretches([stretch], fromMs, this.lengthMs);
    if (added) this.#change({ wordless: addStretch(this.#record.wordless, added) });
  }

  endGap(lengthMs: number): void {
    this.#change({ gaps: endGap(this.#record.gaps, lengthMs) });
  }

  /** The sound of a file is kept for the person, or as long as some of it was not recognised. */
  get #staysKept(): boolean {
    const { isKept, file, wordless } = this.#record;
    return isKept && (file?.keepsSound !== false || wordless.length > 0);
  }

  /** Silence took the place of chunk `seq`. False if that is known: the chunk may be read again. */
  refuse(seq: number): boolean {
    const { chunkMs } = this;
    const atMs = seq * chunkMs;
    const silentMs = measureFilled(this.#record.gaps, atMs, atMs + chunkMs);
    if (seq >= this.nextSeq || silentMs >= chunkMs) return false;
    this.#addFilledGap(seq, "refused");
    return true;
  }

  /** Chunk `seq`; undefined if it is not in memory: it is then read, with some that follow, if it is needed. */
  getChunk(seq: number): ChunkData | undefined {
    const data = this.#chunks.get(seq);
    const isNeeded = seq >= this.#firstUnsent && seq < this.nextSeq;
    if (data === undefined && !this.#isLoading && isNeeded)
      void this.#load(seq, Math.min(this.nextSeq, seq + chunksPerRead));
    return data;
  }

  /** Has the room place the unsent rest at the end of the lecture's clock, under another id on the relay. */
  placeAnew(relayId: string): void {
    this.#change({ relayId });
  }

  /** An engine has failed. The words of what is unsent may begin with the end of `text`, up to `ms` on the lecture's clock. */
  leaveRest(text: string, ms: number): void {
    if (this.offsetMs === null) return;
    const untilMs = ms - this.offsetMs;
    // Otherwise they may begin with the same word, said again.
    const isUnsent = untilMs > this.#firstUnsent * this.chunkMs;
    this.#change({ repeated: { text: isUnsent ? text : "", untilMs } });
  }

  /** Another engine has given the words that begin at `ms` on the lecture's clock, and all that follow. */
  endWords(ms: number): void {
    if (this.offsetMs !== null) this.#change({ wordsUntilMs: ms - this.offsetMs });
  }

  /** The words that follow are new. */
  endRepeated(): void {
    if (this.#record.repeated !== null) this.#change({ repeated: null });
  }

  /** Has `engine` recognise what is unsent. */
  setEngine(engine: SpeechEngine): void {
    this.#change({ engine });
  }

  /** The room has placed the take: audio after `heldMs` has the offset `offsetMs`. */
  place(offsetMs: number): void {
    const { placements, wordless } = this.#record;
    this.#resumedAtMs = offsetMs + this.heldMs;
    // What follows is recognised once more.
    const doneMs = Math.max(this.heldMs, this.#firstUnsent * this.chunkMs);
    if ((wordless.at(-1)?.endMs ?? 0) > doneMs)
      this.#change({ wordless: clipStretches(wordless, 0, doneMs) });
    if (this.offsetMs === offsetMs) return;
    const earlier = placements.filter(({ fromMs }) => fromMs < this.heldMs);
    const placement = { fromMs: this.heldMs, offsetMs };
    this.#change({ placements: [...earlier, placement] });
  }

  acknowledge(seq: number): void {
    const next = Math.min(seq + 1, this.nextSeq);
    for (let at = this.#firstUnsent; at < next; at += 1) this.#dropFromMemory(at);
    this.#firstUnsent = Math.max(this.#firstUnsent, next);
  }

  /** An engine that reads no chunks has given all words before `ms` on the lecture's clock. */
  acknowledgeUntil(ms: number): void {
    if (this.offsetMs === null) return;
    this.updateHeldMs(ms);
    this.acknowledge(Math.floor((ms - this.offsetMs) / this.chunkMs) - 1);
  }

  /** Final words up to `ms` on the lecture's clock are on the page. */
  updateHeldMs(ms: number): void {
    if (this.offsetMs === null) return;
    const heldMs = Math.min(ms - this.offsetMs, this.lengthMs);
    if (heldMs > this.heldMs) this.#change({ heldMs });
  }

  /**
   * Deletes stored audio that is not needed. `unsavedMs`: start of the first unsaved words on the lecture's clock;
   * `Infinity`: none. `isReported`: `report` is saved.
   */
  release(unsavedMs: number, isReported = true): void {
    if (this.isRemoved || this.offsetMs === null) return;
    const { isSaved, savedMs, firstSeq } = findNeededSound(this, unsavedMs - this.offsetMs);
    if (!isSaved || !isReported) {
      if (firstSeq > this.#record.firstSeq) this.#change({ firstSeq, savedMs });
    } else if (this.#staysKept) {
      this.#isSaved = true;
      this.#change({ firstSeq: this.nextSeq, savedMs });
    } else this.remove();
  }

  /** Moves the take to the lecture that replaces its own, and that hears of it from now on. */
  moveTo(lectureId: string, events: TakeEvents): void {
    this.#events = events;
    this.#change({ lectureId });
  }

  /** Deletes the take, also on disk. */
  remove(): void {
    this.#isRemoved = true;
    this.#hasEnded = true;
    this.#firstUnsent = this.nextSeq;
    this.#chunks.clear();
    this.#memoryBytes = 0;
    this.#disk.remove();
  }

  /** Resolves when all writes so far have succeeded or failed. */
  whenWritten(): Promise<void> {
    return this.#disk.whenWritten();
  }

  #keepInMemory(seq: number, data: ChunkData): void {
    this.#chunks.set(seq, data);
    this.#memoryBytes += data.byteLength + chunkOverheadBytes;
  }

  #dropFromMemory(seq: number): void {
    const data = this.#chunks.get(seq);
    if (data === undefined) return;
    this.#chunks.delete(seq);
    this.#memoryBytes -= data.byteLength + chunkOverheadBytes;
  }

  /** Drops stored chunks that will not be sent soon from the memory. */
  #dropStored(chunks: readonly TakeChunk[]): void {
    const end = this.#firstUnsent + Math.ceil(memoryWindowMs / this.chunkMs);
    for (const { seq } of chunks) if (seq >= end) this.#dropFromMemory(seq);
  }

  /** Silence takes the place of chunks that cannot be read, so that later ones keep their time. */
  async #load(from: number, to: number): Promise<void> {
    this.#isLoading = true;
    const found = await this.#disk.read(from, to);
    this.#isLoading = false;
    const chunks = new Map(found.map(({ seq, data }) => [seq, data]));
    let silentMs = 0;
    for (let seq = Math.max(from, this.#firstUnsent); seq < to; seq += 1) {
      if (this.#chunks.has(seq)) continue;
      const data = chunks.get(seq);
      const isReadable = data !== undefined && isChunk(this.codec, data);
      this.#keepInMemory(seq, isReadable ? data : createSilentChunk(this.codec));
      if (isReadable) continue;
      silentMs += this.chunkMs;
      this.#addFilledGap(seq, "unreadable");
    }
    if (silentMs > 0) this.#events.onMissing(silentMs);
    this.#events.onLoaded();
  }

  /** What memory had no room for lies before the next chunk. */
  #reportDropped(): void {
    const lostMs = this.#droppedChunks * this.chunkMs;
    if (lostMs === 0) return;
    this.#droppedChunks = 0;
    this.addGap({ atMs: this.lengthMs, lengthMs: lostMs, reason: "memoryFull", isFilled: false });
    this.#events.onMissing(lostMs);
    this.#events.onStorageState();
  }

  #addFilledGap(seq: number, reason: TakeGap["reason"]): void {
    this.addGap({ atMs: seq * this.chunkMs, lengthMs: this.chunkMs, reason, isFilled: true });
  }

  #change(change: Partial<StoredTake>): void {
    this.#record = { ...this.#record, ...change };
    this.#disk.update();
  }
}
