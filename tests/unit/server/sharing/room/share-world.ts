import { expect } from "vitest";
import type {
  RowRange,
  SharedSpeech,
  ShareEffect,
  ShareEvent,
  Source,
  SourceRow,
} from "#server/sharing/room/events.ts";
import { restoreReader } from "#server/sharing/room/readers.ts";
import { step } from "#server/sharing/room/reducer.ts";
import { createShareState, type ShareState, toItemKey } from "#server/sharing/room/state.ts";
import type { ReaderState, ShareSnapshotItem, StoredShare } from "#server/sharing/room/stored.ts";
import { toSentenceKey } from "#server/sharing/sentence.ts";
import { countBytes } from "#server/unread.ts";
import type { TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { ShareServerMessage, ShareViewMessage } from "#shared/share.ts";
import { applyShareMessage, canResume, type ShareView } from "#shared/share-view.ts";
import { shareUnreadCode } from "#shared/site.ts";

type Effect<T extends ShareEffect["type"]> = Extract<ShareEffect, { type: T }>;

/** A reader's page: what it has received, over all its connections. */
export class Page {
  view: ShareView | null = null;
  /** Of its socket; null while it has none. */
  readerId: string | null = null;
  /** Frames that are under way. */
  inbox: ShareServerMessage[] = [];
  readonly received: { at: number; message: ShareViewMessage }[] = [];
  /** Close code of its last socket. */
  closed: number | null = null;
  /** Rows have come of a change that is not complete. */
  #isPartial = false;
  #mayRepeat = false;

  constructor(
    public language: TargetLanguage,
    /** False: a page of the version before. */
    readonly answersProbes = true,
  ) {}

  get rows() {
    return [...(this.view?.rows.values() ?? [])].sort((a, b) => a.position - b.position);
  }

  get texts(): string[] {
    return this.rows.map(({ original }) => original);
  }

  /** The translation of each row; null while it is awaited, `failed` if it has failed. */
  get translations(): (string | null)[] {
    return this.rows.map(({ position }) => {
      const found = this.view?.translations.get(position);
      return found?.hasFailed ? "failed" : (found?.text ?? null);
    });
  }

  /** It connects, and says what it has. */
  begin(readerId: string): void {
    this.readerId = readerId;
    this.inbox = [];
    this.closed = null;
    this.#mayRepeat = this.#isPartial;
  }

  /** Length of the frames that are under way. */
  get unreadBytes(): number {
    return this.inbox.reduce((sum, message) => sum + countBytes(JSON.stringify(message)), 0);
  }

  receive(message: ShareViewMessage, at: number): void {
    this.received.push({ at, message });
    // Nothing comes twice, unless the last connection has brought a part of a change.
    if (message.type === "delta" && !this.#mayRepeat)
      for (const row of message.rows ?? [])
        expect(this.view?.rows.get(row.position)).not.toEqual(row);
    if (message.type === "delta" && message.from < message.to) this.#isPartial = false;
    else if (message.type === "delta" && message.rows) this.#isPartial = true;
    this.view = applyShareMessage(this.view, message);
  }
}

/**
 * A share with everything around its reducer: the database, the model, sockets, storage and time. What the object asks
 * for is answered when the test says so.
 */
export class ShareWorld {
  now = Date.UTC(2026, 10, 23, 9);
  state: ShareState;
  /** The database. */
  rows: SourceRow[] = [];
  source: Source | null;
  readonly stored = new Map<TranslationLanguage, Map<string, string>>();
  readonly pages: Page[] = [];
  /** What the object has asked for. */
  reads: (Effect<"read"> & { source: Source | null; rows: SourceRow[] })[] = [];
  translationReads: Effect<"readTranslations">[] = [];
  jobs: Effect<"translate">[] = [];
  /** Every call of the model. */
  readonly calls: Effect<"translate">[] = [];
  readonly effects: ShareEffect[] = [];
  timerAt: number | null = null;
  alarmAt: number | null = null;
  #storage: { share: StoredShare; items: Map<string, ShareSnapshotItem> } | null = null;
  readonly #attachments = new Map<string, ReaderState>();
  #texts = 0;
  #readers = 0;

  constructor(over: Partial<Source> = {}) {
    this.source = {
      userId: "owner",
      lectureId: "lecture",
      mode: "until_revoked",
      mayCopy: true,
      createdAt: this.now,
      readersMax: 30,
      languagesMax: 3,
      title: "Light",
      sourceLanguage: "en",
      targetLanguage: "fr",
      isTwoWay: false,
      speakerNames: {},
      summary: null,
      context: "Physics.",
      isCompleted: false,
      recordedAt: null,
      ...over,
    };
    this.state = createShareState(null, [], "epoch 1");
  }

  /** A text that was never said before. */
  newText(): string {
    this.#texts += 1;
    return `Sentence ${this.#texts}.`;
  }

  createRow(position: number, over: Partial<SourceRow> = {}): SourceRow {
    const startMs = (this.rows[position - 1]?.endMs ?? 0) + 100;
    return {
      position,
      original: this.newText(),
      spokenIn: "en",
      translated: "",
      translatedInto: null,
      speaker: null,
      startMs,
      endMs: startMs + 1_000,
      ...over,
    };
  }

  append(over: Partial<SourceRow> = {}, isReported = true): void {
    const position = this.rows.length;
    this.rows = [...this.rows, this.createRow(position, over)];
    if (isReported) this.report(position, position + 1);
  }

  change(position: number, change: Partial<SourceRow>, isReported = true): void {
    this.rows = this.rows.map((row) => (row.position === position ? { ...row, ...change } : row));
    if (isReported) this.report(position, position + 1);
  }

  /** Another device's row comes first on the clock: the later ones move. */
  insert(position: number): void {
    const startMs = (this.rows[position - 1]?.endMs ?? 0) + 50;
    const row = this.createRow(position, { startMs, endMs: startMs + 10 });
    this.rows = [...this.rows.slice(0, position), row, ...this.rows.slice(position)].map(
      (one, index) => ({ ...one, position: index }),
    );
    this.report(position, null);
  }

  report(from: number, to: number | null): void {
    this.send({ type: "changed", rows: { from, to } });
  }

  send(event: ShareEvent): void {
    const { state, effects } = step(this.state, event, this.now);
    this.state = state;
    for (const effect of effects) this.#run(effect);
  }

  speak(speech: Partial<SharedSpeech>): void {
    this.send({ type: "spoken", recording: "live", finals: [], interim: [], ...speech });
  }

  join(language: TargetLanguage = "none", answersProbes = true): Page {
    const page = new Page(language, answersProbes);
    this.pages.push(page);
    this.connect(page);
    return page;
  }

  /** Connects a page, which says what it has. */
  connect(page: Page): void {
    this.#readers += 1;
    const readerId = `reader ${this.#readers}`;
    page.begin(readerId);
    const { view, language, answersProbes } = page;
    const since = canResume(view, language) ? { epoch: view.epoch, seq: view.seq } : null;
    this.send({ type: "joined", readerId, language, since, answersProbes });
  }

  /** The connection is lost, with what is under way. */
  drop(page: Page): void {
    const { readerId } = page;
    page.readerId = null;
    page.inbox = [];
    if (readerId === null) return;
    this.#attachments.delete(readerId);
    this.send({ type: "left", readerId });
  }

  choose(page: Page, language: TargetLanguage): void {
    page.language = language;
    if (page.readerId !== null)
      this.send({ type: "languageChosen", readerId: page.readerId, language });
  }

  deliver(page: Page, count = Number.POSITIVE_INFINITY): void {
    for (let left = count; left > 0; left -= 1) {
      const message = page.inbox.shift();
      if (message === undefined) return;
      if (message.type !== "probe") page.receive(message, this.now);
      else if (page.readerId !== null)
        this.send({ type: "probeAnswered", readerId: page.readerId, probe: message.probe });
    }
  }

  deliverAll(): void {
    for (const page of this.pages) this.deliver(page);
  }

  answerRead(isOk = true): void {
    const read = this.reads.shift();
    if (!read) return;
    const { range } = read;
    this.send(isOk ? read : { type: "readFailed", range });
  }

  answerTranslationRead(isOk = true): void {
    const read = this.translationReads.shift();
    if (!read) return;
    const texts = isOk ? new Map(this.stored.get(read.language)) : null;
    this.send({ type: "translationsRead", language: read.language, texts });
  }

  answerJob(outcome: "ok" | "llm_failed" | "model_budget_exhausted" | "rate_limited" = "ok"): void {
    const job = this.jobs.shift();
    if (!job) return;
    const { jobId, language, sentence } = job;
    if (outcome !== "ok") {
      this.send({ type: "translationFailed", jobId, code: outcome });
      return;
    }
    const text = translate(sentence.original, language);
    const texts = this.stored.get(language) ?? new Map();
    this.stored.set(language, texts.set(toSentenceKey(sentence), text));
    this.send({ type: "translated", jobId, text });
  }

  /** Advances the time; timer and alarm fire on the way. */
  wait(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = Math.min(this.timerAt ?? Infinity, this.alarmAt ?? Infinity);
      if (next > end) break;
      this.now = Math.max(this.now, next);
      if (this.timerAt === next) {
        this.timerAt = null;
        this.send({ type: "timer" });
      } else {
        this.alarmAt = null;
        this.send({ type: "alarm" });
      }
    }
    this.now = end;
  }

  /** The object is evicted: memory, timers and answers under way are lost; sockets, storage and the alarm are not. */
  evict(): void {
    this.reads = [];
    this.translationReads = [];
    this.jobs = [];
    this.timerAt = null;
    const readers = this.pages.flatMap(({ readerId }) => {
      const reader = readerId === null ? undefined : this.#attachments.get(readerId);
      return reader ? [restoreReader(reader, this.now)] : [];
    });
    const stored = this.#storage && {
      share: this.#storage.share,
      items: [...this.#storage.items.values()],
    };
    this.state = createShareState(stored, readers, `epoch of ${this.now}`);
  }

  /** Everything is answered and delivered until nothing is left to do. Who was closed for not reading connects again. */
  settle(): void {
    for (let round = 0; round < 100; round += 1) {
      for (const page of this.pages)
        if (page.readerId === null && page.closed === shareUnreadCode) this.connect(page);
      while (this.reads.length + this.translationReads.length + this.jobs.length > 0) {
        this.answerRead();
        this.answerTranslationRead();
        this.answerJob();
      }
      this.wait(1_000);
      this.deliverAll();
    }
  }

  /** What readers of `language` must have in the end. */
  expectTranslations(language: TargetLanguage): (string | null)[] {
    return this.rows.map(({ original, spokenIn, translated, translatedInto }) => {
      if (language === "none" || language === spokenIn) return null;
      return translated !== "" && translatedInto === language
        ? translated
        : translate(original, language);
    });
  }

  #readRows(range: RowRange | null): SourceRow[] {
    return range ? this.rows.slice(range.from, range.to ?? undefined) : [];
  }

  #run(effect: ShareEffect): void {
    this.effects.push(effect);
    switch (effect.type) {
      case "send":
        for (const page of this.pages)
          if (page.readerId && effect.readerIds.includes(page.readerId))
            // As on the wire.
            page.inbox.push(structuredClone(effect.message));
        return;
      case "close":
        for (const page of this.pages)
          if (page.readerId && effect.readerIds.includes(page.readerId)) {
            page.readerId = null;
            page.closed = effect.code;
            this.deliver(page);
          }
        return;
      case "attach":
        this.#attachments.set(effect.reader.id, effect.reader);
        return;
      case "read":
        // The answer is as old as it can be.
        this.reads.push({ ...effect, source: this.source, rows: this.#readRows(effect.range) });
        return;
      case "readTranslations":
        this.translationReads.push(effect);
        return;
      case "translate":
        this.jobs.push(effect);
        this.calls.push(effect);
        return;
      case "abortTranslations":
        this.jobs = [];
        return;
      case "persist": {
        const items = this.#storage?.items ?? new Map();
        for (const item of effect.items) items.set(toItemKey(item.position, item.language), item);
        this.#storage = { share: structuredClone(effect.share), items };
        return;
      }
      case "forgetLanguage":
        for (const [key, item] of this.#storage?.items ?? [])
          if (item.language === effect.language) this.#storage?.items.delete(key);
        return;
      case "forget":
        this.#storage = null;
        this.timerAt = null;
        this.alarmAt = null;
        return;
      case "setTimer":
        this.timerAt = effect.at;
        return;
      case "setAlarm":
        this.alarmAt = effect.at;
        return;
      case "followRecording":
      case "endShare":
        return;
      default:
        effect satisfies never;
    }
  }
}

/** The model. */
export const translate = (original: string, language: TargetLanguage): string =>
  `${language}: ${original}`;
