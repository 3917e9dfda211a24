import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { getTranslationTag } from "#shared/languages.ts";

/** A finished sentence for screen readers, in the language of its `text`. */
export interface Announcement {
  text: string;
  /** BCP 47. */
  lang: string;
}

interface PageState {
  /** Sentences are being spoken: what comes now is new. Otherwise rows come from a stored lecture. */
  isLive: boolean;
  /** Another lecture is being opened. */
  isOpening: boolean;
  /** Whether the translation of a row is shown without its original. */
  isTranslationOnly: (row: TranscriptRow) => boolean;
}

/** After a lost connection many sentences come at once: the last ones are announced. */
const burstMax = 5;

/** Names the sentence of a row also after a correction, and after rows before it were inserted. */
function getKey(row: TranscriptRow, rows: readonly TranscriptRow[]): string {
  const isSameTime = (other: TranscriptRow) =>
    other.startMs === row.startMs && other.endMs === row.endMs;
  const before = rows.filter((other) => other.position < row.position && isSameTime(other));
  return `${row.startMs}-${row.endMs}-${before.length}`;
}

/** Decides which sentences are announced: each once, when it is finished, in the order of the page. */
export class Announcements {
  readonly #known = new Set<string>();
  /** Finished, and not announced yet: their translation is waited for. */
  readonly #pending = new Set<string>();
  /** Position behind the last known row. */
  #end = 0;

  /** `rows` are the last ones of the page; those that it has at first are not announced. */
  constructor(rows: readonly TranscriptRow[]) {
    this.#addKnown(rows);
  }

  update(rows: readonly TranscriptRow[], state: PageState): Announcement[] {
    const end = (rows.at(-1)?.position ?? -1) + 1;
    const isOther = state.isOpening || end < this.#end;
    if (isOther) this.#pending.clear();
    if (state.isLive && !isOther) {
      const keys = rows.map((row) => getKey(row, rows));
      const added = keys.slice(keys.findLastIndex((key) => this.#known.has(key)) + 1);
      for (const key of added.slice(-burstMax)) this.#pending.add(key);
    }
    this.#addKnown(rows);
    return this.#takeReady(rows, state.isTranslationOnly);
  }

  #addKnown(rows: readonly TranscriptRow[]): void {
    for (const row of rows) this.#known.add(getKey(row, rows));
    this.#end = (rows.at(-1)?.position ?? -1) + 1;
  }

  #takeReady(
    rows: readonly TranscriptRow[],
    isTranslationOnly: PageState["isTranslationOnly"],
  ): Announcement[] {
    const ready: Announcement[] = [];
    for (const row of rows) {
      const key = getKey(row, rows);
      if (!this.#pending.has(key)) continue;
      if (isTranslationOnly(row) && row.translation === "waiting") {
        // A late one is announced when it comes; the others do not wait for it.
        if (row.placeholder?.isLate) continue;
        break;
      }
      this.#pending.delete(key);
      ready.push(toAnnouncement(row, isTranslationOnly(row)));
    }
    return ready;
  }
}

/** The original in place of a translation that failed. */
function toAnnouncement(row: TranscriptRow, isTranslationOnly: boolean): Announcement {
  const hasTranslation = isTranslationOnly && row.translation === "done" && row.translatedInto;
  return hasTranslation
    ? { text: row.translated, lang: getTranslationTag(hasTranslation) }
    : { text: row.original, lang: row.spokenIn };
}
