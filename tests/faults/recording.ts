import type { CDPSession, Locator, Page } from "@playwright/test";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { getWaitingMs, type RecordedTake } from "#shared/recorded-take.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { messages } from "#tests/e2e/support/interface.ts";
import { callProcedure } from "#tests/e2e/support/library.ts";
import { listEntries, listTakes } from "#tests/e2e/support/stored.ts";
import { expect } from "#tests/e2e/support/test.ts";
import { getTranscript } from "#tests/e2e/support/transcript.ts";
import type { LectureFixture } from "#tests/fixtures/lecture.ts";
import { readNumbers } from "#tests/fixtures/read-numbers.ts";
import type { FaultSite } from "./site.ts";
import type { Told, ToldKey } from "./told.ts";

export const engines = ["Soniox", "Deepgram", "browser", "device"] as const;
/** What recognises: a service through the room, the browser, or a model on this device. */
export type Engine = (typeof engines)[number];

export const services: readonly Engine[] = ["Soniox", "Deepgram"];

/** What differs between two runs of a fault. */
export interface Target {
  engine: Engine;
  codec: AudioCodec;
}

export interface Fault {
  name: string;
  engines: readonly Engine[];
  /** Number of the last word; `words` by default. */
  words?: number;
  /** What the person must be told, at least one of these; null: nothing, because nothing is to be done or waited for. */
  tells: readonly ToldKey[] | null;
  /** The page cannot capture sound during the fault, and says so by a gap. */
  hasGap?: true;
  /** It takes minutes and is run with `LONG=1` alone. */
  isLong?: boolean;
  /** The browser has a profile on disk, and is killed. */
  hasOwnProfile?: true;
  /** The page has all its files before, as at a second visit: requests for them would wait for the line. */
  hasFiles?: true;
  /** So many rows may stay without a translation, which the page says: those of a sentence that the fault cuts in two. */
  leaves?: number;
  /** The browser's recognition fails after this time, ms. */
  failsAfterMs?: number;
  /** Causes the fault after the first sentence is shown, and ends it. */
  cause(recording: Recording): Promise<void>;
}

/** Number of the last word that is said; a sentence has `sentenceWords`. */
export const defaultWords = 12;
export const sentenceWords = 3;

/** One line of the table. Times in seconds. */
export interface Row extends Target {
  fault: string;
  said: number;
  kept: number;
  captured: number;
  acknowledged: number;
  missing: number;
  lostWords: number;
  duplicates: number;
  /** Null: nothing translates. */
  translations: TranslatedRows | null;
  told: string[];
}

/** Rows of the stored lecture, as far as the service has translated them in its stream. */
interface TranslatedRows {
  rows: number;
  /** Those whose translation has each word of the row, once, and no other. */
  translated: number;
  /** Those that have none, and whose page says so. */
  left: number;
  /** Those whose translation has words of another row. */
  foreign: number;
}

/** What recordings with the first service are translated into, in its stream. */
export const streamTarget = "fr";
export const isTranslated = ({ engine }: Target): boolean => engine === "Soniox";

/** A word at the end of a take may be cut: it is said, or it is not. */
const cutMs = 400;

/** What a fault can do beside the page. */
interface Means {
  /** A page in another browser profile, with the same microphone. */
  openDevice(): Promise<Page>;
  /** Kills the processes of the page's browser, and starts it again with the same profile: a page, signed in. */
  killBrowser(): Promise<Page>;
}

/** A recording during which something fails. */
export class Recording {
  /** The speech of the page in `page` ended with a page that is gone. */
  isOver = false;
  /** The microphone has begun its speech anew, with a second take, or after a gap in the first one. */
  isAnew = false;
  /** Pages that recorded before; what they have not sent becomes words when they are opened again. */
  readonly others: Page[] = [];
  /** The lecture's id. */
  id = "";
  /** Tells the page of its network. Kept, because the browser forgets that when the session ends. */
  #network: CDPSession | null = null;

  constructor(
    /** The page that records; a fault may replace it. */
    public page: Page,
    readonly site: FaultSite,
    readonly speech: LectureFixture,
    readonly target: Target,
    readonly told: Told,
    readonly email: string,
    readonly means: Means,
  ) {}

  /** It is there while the page records. */
  get stopButton(): Locator {
    const controls = this.page.getByRole("region", { name: "Recording controls" });
    return controls.getByRole("button", { name: "Stop" });
  }

  /** The text of sentence `index`, from 0; negative ones are counted from the end. */
  sentence(index: number): string {
    return toWords(this.speech.sentences.at(index)?.text ?? "").join(" ");
  }

  /** Waits until the page shows the last word of sentence `index`, for the `times`th time. */
  async waitForSentence(index: number, times = 1, page = this.page): Promise<void> {
    const last = toWords(this.sentence(index)).at(-1) ?? "";
    const count = async () => (await readWords(page)).filter((word) => word === last).length;
    await expect
      .poll(count, { timeout: this.speech.durationMs + 120_000 })
      .toBeGreaterThanOrEqual(times);
  }

  /**
   * Ends or restores the network: connections are cut, and the page is told as by a device without a network. Playwright's
   * `setOffline` keeps Chromium's network process at a full core while a WebSocket is open, which is none of the faults.
   */
  async setOffline(offline: boolean): Promise<void> {
    const state = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    this.site.front.set({ isCut: offline });
    this.#network ??= await this.page.context().newCDPSession(this.page);
    await this.#network.send("Network.overrideNetworkState", { offline, ...state });
  }

  /** Waits until the person was told one of `keys`. */
  async waitUntilTold(keys: readonly ToldKey[]): Promise<void> {
    await expect.poll(() => this.told.has(keys)).toBe(true);
  }

  /** Stops, unless the page with the microphone is gone, and waits until everything has arrived. */
  async finish(): Promise<void> {
    const { page } = this;
    if (!this.isOver) {
      await (this.isAnew ? this.waitForSentence(0, 2) : this.waitForSentence(-1));
      await this.stopButton.click();
      await expect(page.getByText("Paused", { exact: true }).first()).toBeVisible();
      // Requests over a dead line fail one after the other, each after its time limit.
      await expect(page.locator("[data-save-state]")).toHaveAttribute("data-save-state", "saved", {
        timeout: 180_000,
      });
    }
    for (const other of this.others) await other.goto(`/record?lecture=${this.id}`);
    if (services.includes(this.target.engine)) {
      // What a page has left is reported by the next one.
      const isHeard = async () => {
        const waiting = (await this.#listTakes()).map(getWaitingMs);
        return waiting.length > 0 && waiting.every((ms) => ms <= 0);
      };
      // Sound that has waited is heard at the provider's pace.
      const timeout = this.speech.durationMs + 120_000;
      await expect.poll(isHeard, { timeout }).toBe(true);
    }
  }

  /** What became of the words and of the sound, as the server has stored it. */
  async measure(fault: string): Promise<Row> {
    const takes = await this.#listTakes();
    const entries = await ask(() => listEntries(this.page, this.id));
    const kept = toWords(entries.map(({ original }) => original).join(" "));
    const { certain, possible } = this.#listSaid(takes);
    const extra = subtract(kept, certain);
    const sum = (of: (take: RecordedTake) => number) =>
      Math.round(takes.reduce((total, take) => total + of(take), 0) / 100) / 10;
    const duplicates = subtract(extra, possible).length;
    return {
      ...this.target,
      fault,
      said: certain.length + extra.length - duplicates,
      kept: kept.length - duplicates,
      lostWords: subtract(certain, kept).length,
      duplicates,
      translations: isTranslated(this.target)
        ? countTranslated(entries, await this.#saysUntranslated())
        : null,
      captured: sum(({ capturedMs }) => capturedMs),
      acknowledged: sum(({ acknowledgedMs }) => acknowledgedMs),
      missing: sum(({ missingMs }) => missingMs),
      told: this.told.texts,
    };
  }

  /**
   * A recording that nothing has cut has all words, once, in however many takes its engine divides it. The takes of others
   * have those before their end.
   */
  #listSaid(takes: readonly RecordedTake[]): { certain: string[]; possible: string[] } {
    const certain: string[] = [];
    const possible: string[] = [];
    const isWhole = !this.isOver && !this.isAnew;
    const ends = takes.flatMap(({ capturedMs, missingMs, gaps }) => {
      const lengthMs = capturedMs - missingMs;
      const gap = gaps.find(({ reason }) => reason === "disconnected");
      return gap === undefined ? [lengthMs] : [gap.atMs, lengthMs - gap.atMs];
    });
    for (const endMs of isWhole ? [Number.POSITIVE_INFINITY] : ends) {
      for (const word of this.speech.words) {
        if (word.endMs <= endMs - cutMs) certain.push(...toWords(word.text));
        else if (word.startMs <= endMs + cutMs) possible.push(...toWords(word.text));
      }
    }
    return { certain, possible };
  }

  /** A page says of rows that nothing can translate them. */
  async #saysUntranslated(): Promise<boolean> {
    const text = messages.en["missing.nothing"];
    const pages = [this.page, ...this.others];
    const said = pages.map((page) => page.getByText(text).first().isVisible());
    return (await Promise.all(said)).includes(true);
  }

  #listTakes = () => ask(() => listTakes(this.page, this.id));

  /** Signs in on `page`, without its form. */
  async signIn(page: Page, password: string): Promise<void> {
    await callProcedure(page, "auth.signIn", { email: this.email, password });
  }
}

/** Asks the server until it answers: it may just be starting again. */
async function ask<T>(question: () => Promise<T>): Promise<T> {
  let answer: T | undefined;
  await expect(async () => {
    answer = await question();
  }).toPass({ timeout: 60_000 });
  return answer as T;
}

/** Words in small letters, without marks. */
const toWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z-]+/)
    .filter(Boolean);

const toNumbers = (text: string, language: SpokenLanguage): number[] =>
  readNumbers(text.toLowerCase(), [language]).map(({ number }) => number);

function countTranslated(
  entries: readonly TranscriptEntry[],
  saysUntranslated: boolean,
): TranslatedRows {
  const rows = entries.map(({ original, translated }) => ({
    own: toNumbers(original, "en"),
    given: toNumbers(translated, streamTarget),
  }));
  return {
    rows: rows.length,
    translated: rows.filter(({ own, given }) => String(own) === String(given)).length,
    left: saysUntranslated ? entries.filter(({ translated }) => translated === "").length : 0,
    foreign: rows.filter(({ own, given }) => subtract(given, own).length > 0).length,
  };
}

/** `all` without those of `some`, each of which removes one. */
function subtract<T>(all: readonly T[], some: readonly T[]): T[] {
  const left = [...all];
  for (const word of some) {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** The words that a page shows, those of the live line too. */
const readWords = async (page: Page) =>
  toWords(
    (
      await getTranscript(page)
        .locator('p[lang="en"]:not(figure *, [data-announcements] *)')
        .allInnerTexts()
    ).join(" "),
  );
