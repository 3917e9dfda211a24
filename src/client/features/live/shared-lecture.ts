import { isShallowEqual, Signal } from "#client/lib/observable.ts";
import { ReadOnlyLecture } from "#client/realtime/lecture/read-only-lecture.ts";
import type { LectureView, TranscriptRow } from "#client/realtime/session-types.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import type { SharedRow, SharedTranslation } from "#shared/share.ts";
import type { ShareView } from "#shared/share-view.ts";
import { translationFailed } from "#shared/words.ts";
import type { ShareReading } from "./share-connection.ts";

/** What a row was made from. Unchanged, it stays the same object and does not render again. */
interface MadeRow {
  source: SharedRow;
  translation: SharedTranslation | undefined;
  row: TranscriptRow;
}

/** A shared lecture as the reading surface shows it. Nothing of it can be changed. */
export class SharedLecture extends ReadOnlyLecture {
  readonly view = new Signal<LectureView>({
    status: "ready",
    busy: null,
    saveState: "saved",
    lecture: null,
    targetLanguage: "none",
    speakerNames: {},
    hasDemoText: false,
  });
  #made: ReadonlyMap<number, MadeRow> = new Map();
  /** What the rows were last made from. */
  #shown: Pick<ShareView, "rows" | "translations" | "language" | "isTranslationPaused"> | null =
    null;

  /** Shows what the reader has received. */
  update({ view, end }: ShareReading): void {
    if (view === null) return;
    const { lecture, language, summary, live } = view;
    this.#updateRows(view);
    this.transcript.setLive(live && { ...live, preview: "" });
    const text = summary ?? "";
    if (text !== this.summary.get().text) this.summary.set({ text, state: "idle" });
    const before = this.view.get();
    const { title } = lecture;
    const next: LectureView = {
      ...before,
      // A pause moves nothing: the page follows until the recording is over.
      status: end !== null || view.status === "finished" ? "paused" : "recording",
      lecture:
        before.lecture?.title === title
          ? before.lecture
          : { id: "shared", title, titleSource: "person", status: "draft" },
      targetLanguage: language,
      speakerNames: lecture.speakerNames,
      hasDemoText: lecture.hasDemoText ?? false,
    };
    if (!isShallowEqual(before, next)) this.view.set(next);
  }

  #updateRows(view: ShareView): void {
    const shown = this.#shown;
    const { rows, translations, language, isTranslationPaused } = view;
    const next = { rows, translations, language, isTranslationPaused };
    if (shown !== null && isShallowEqual(shown, next)) return;
    this.#shown = next;
    const isSame =
      shown?.language === language && shown.isTranslationPaused === isTranslationPaused;
    /** Rows after these come while they are spoken. */
    const lastKnown = shown === null ? Infinity : Math.max(-1, ...shown.rows.keys());
    const made = new Map<number, MadeRow>();
    for (const position of [...rows.keys()].sort((a, b) => a - b)) {
      const source = rows.get(position);
      if (!source) continue;
      const translation = translations.get(position);
      const before = this.#made.get(position);
      const isUnchanged = isSame && before?.source === source && before.translation === translation;
      made.set(
        position,
        isUnchanged
          ? before
          : {
              source,
              translation,
              row: toRow(source, translation, view, before?.row, position > lastKnown),
            },
      );
    }
    this.#made = made;
    this.transcript.replaceAll([...made.values()].map(({ row }) => row));
  }
}

/** @param isNew it follows a live line, for whose translation space was reserved. */
function toRow(
  source: SharedRow,
  translation: SharedTranslation | undefined,
  { language, isTranslationPaused }: Pick<ShareView, "language" | "isTranslationPaused">,
  before: TranscriptRow | undefined,
  isNew: boolean,
): TranscriptRow {
  const row = { ...source, translatedByHand: false, revision: 0 };
  const text = translation?.text ?? null;
  const hasFailed = translation?.hasFailed === true;
  const isMissing = text === null && !hasFailed && isTranslationPaused;
  if (language === "none" || isMissing)
    return { ...row, translated: "", translation: "none", translatedInto: null };
  const placeholder = toPlaceholder(language, before, {
    isNew,
    isWaiting: text === null && !hasFailed,
  });
  return {
    ...row,
    ...(placeholder && { placeholder }),
    translation: text !== null ? "done" : hasFailed ? "failed" : "waiting",
    translated: text ?? (hasFailed ? translationFailed : ""),
    translatedInto: text === null ? null : language,
  };
}

/** What a row shows until its translation comes, and the space of the translation after that. */
function toPlaceholder(
  language: Exclude<TargetLanguage, "none">,
  before: TranscriptRow | undefined,
  { isNew, isWaiting }: { isNew: boolean; isWaiting: boolean },
) {
  const old = before?.placeholder?.language === language ? before.placeholder : undefined;
  if (!isWaiting) return old ?? (isNew ? { language, text: "" } : undefined);
  // A corrected sentence shows its earlier translation.
  const text = before?.translatedInto === language ? before.translated : (old?.text ?? "");
  return { language, text };
}
