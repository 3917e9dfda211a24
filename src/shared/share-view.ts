import type { TargetLanguage } from "./languages.ts";
import type {
  SharedLecture,
  SharedLiveLine,
  SharedRow,
  SharedTranslation,
  ShareEnd,
  ShareStatus,
  ShareViewMessage,
} from "./share.ts";

/** What a reader has received of a share. */
export interface ShareView {
  epoch: string;
  /** The text is complete up to this change; sent as `since` when connecting again. */
  seq: number;
  language: TargetLanguage;
  isLanguageRefused: boolean;
  lecture: SharedLecture;
  summary: string | null;
  status: ShareStatus;
  isTranslationPaused: boolean;
  live: SharedLiveLine | null;
  /** While this is not 0, rows or translations are missing that exist. */
  pagesLeft: number;
  /** By position. */
  rows: ReadonlyMap<number, SharedRow>;
  /** By position; of `language`. */
  translations: ReadonlyMap<number, SharedTranslation>;
  /** Null while the share goes on. */
  end: ShareEnd | null;
}

/** A message that does not continue what the reader has: it must connect again, without `since`. */
export class ShareGap extends Error {
  override readonly name = "ShareGap";
}

/**
 * Applies a message of the server. `view` is null before the first snapshot; the result is null only then.
 *
 * @throws ShareGap
 */
export function applyShareMessage(
  view: ShareView | null,
  message: ShareViewMessage,
): ShareView | null {
  switch (message.type) {
    case "snapshot": {
      const { type: _, rows, translations, ...rest } = message;
      return {
        ...rest,
        rows: replaceAt(new Map(), rows),
        translations: replaceAt(new Map(), translations),
        end: null,
      };
    }
    case "delta": {
      if (view === null || message.from !== view.seq) throw new ShareGap("a change is missing");
      const { type: _, from: _from, to, rows = [], translations = [], ...parts } = message;
      return {
        ...view,
        ...parts,
        seq: to,
        rows: replaceAt(view.rows, rows),
        translations: replaceAt(view.translations, translations),
      };
    }
    case "language": {
      if (view === null) throw new ShareGap("no snapshot");
      if (message.isLanguageRefused) return { ...view, isLanguageRefused: true };
      const { language, pagesLeft } = message;
      const translations = new Map();
      return { ...view, language, isLanguageRefused: false, pagesLeft, translations };
    }
    case "closed":
      return view && { ...view, end: message.reason };
    default:
      return message satisfies never;
  }
}

/** True if a page with `view` that wants `language` may connect with `epoch` and `since`. */
export const canResume = (view: ShareView | null, language: TargetLanguage): view is ShareView =>
  view !== null && view.pagesLeft === 0 && view.language === language && !view.isLanguageRefused;

/** A copy of `items` with `changed` at their positions; `items` itself if nothing has changed. */
function replaceAt<T extends { position: number }>(
  items: ReadonlyMap<number, T>,
  changed: readonly T[],
): ReadonlyMap<number, T> {
  if (changed.length === 0) return items;
  const copy = new Map(items);
  for (const item of changed) copy.set(item.position, item);
  return copy;
}
