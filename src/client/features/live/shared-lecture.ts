import type {
  LectureView,
  RowPlaceholder,
  TranscriptRow,
} from "#client/lecture/lecture-document.ts";
import { emptyLectureView, ReadOnlyLecture } from "#client/lecture/read-only-lecture.ts";
import type { Clock } from "#client/lib/clock.ts";
import { isShallowEqual, Signal } from "#client/lib/observable.ts";
import { WaitingRows } from "#client/translation/waiting-rows.ts";
import {
  isSameLanguage,
  type LanguagePair,
  type TargetLanguage,
  toSpokenLanguage,
} from "#shared/languages.ts";
import type { SharedRow, SharedTranslation } from "#shared/share.ts";
import type { ShareView } from "#shared/share-view.ts";
import type { ShareReading } from "./share-connection.ts";

/** What the rows are made from. */
interface Source
  extends Pick<ShareView, "rows" | "translations" | "language" | "isTranslationPaused"> {
  /** Nothing more will come. */
  isOver: boolean;
}

/** What a row was made from. Unchanged, it stays the same object and does not render again. */
interface MadeRow {
  source: SharedRow;
  translation: SharedTranslation | undefined;
  row: TranscriptRow;
}

/** A shared lecture as the reading surface shows it. Nothing of it can be changed. */
export class SharedLecture extends ReadOnlyLecture {
  readonly view = new Signal(emptyLectureView);
  readonly #waiting: WaitingRows;
  override readonly missingTranslations: WaitingRows["missing"];
  /** In their order, by id. */
  #made: ReadonlyMap<string, MadeRow> = new Map();
  /** What the rows were last made from. */
  #shown: Source | null = null;

  constructor(clock: Clock) {
    super();
    this.#waiting = new WaitingRows({
      clock,
      onLate: (ids) => this.#setLate(new Set(ids)),
      getRow: (id) => this.#made.get(id)?.row,
    });
    this.missingTranslations = this.#waiting.missing;
  }

  /** Shows what the reader has received. */
  update({ view, end }: ShareReading): void {
    if (view === null) return;
    const { lecture, language, summary, live } = view;
    this.#updateRows({ ...view, isOver: end !== null });
    this.transcript.setLive(live && { ...live, preview: "" });
    const text = summary ?? "";
    if (text !== this.summary.get().text) this.summary.set({ ...this.summary.get(), text });
    const before = this.view.get();
    const { title } = lecture;
    const next: LectureView = {
      ...before,
      // A pause moves nothing: the page follows until the recording is over.
      status: end !== null || view.status === "finished" ? "paused" : "recording",
      lecture:
        before.lecture?.title === title
          ? before.lecture
          : {
              id: "shared",
              title,
              titleSource: "person",
              status: "draft",
              folderId: null,
              // Readers are not told, and are not shown it.
              createdAt: new Date().toISOString(),
            },
      ...toReadersPair(lecture, language),
      speakerNames: lecture.speakerNames,
      hasDemoText: lecture.hasDemoText ?? false,
    };
    if (!isShallowEqual(before, next)) this.view.set(next);
  }

  #updateRows(view: Source): void {
    const shown = this.#shown;
    const { rows, translations, language, isTranslationPaused, isOver } = view;
    const next = { rows, translations, language, isTranslationPaused, isOver };
    if (shown !== null && isShallowEqual(shown, next)) return;
    this.#shown = next;
    const isSame =
      shown?.language === language &&
      shown.isTranslationPaused === isTranslationPaused &&
      shown.isOver === isOver;
    /** Rows after these come while they are spoken. */
    const lastKnown = shown === null ? Infinity : Math.max(-1, ...shown.rows.keys());
    const made = new Map<string, MadeRow>();
    for (const source of [...rows.values()].sort(compareRows)) {
      const ordinal = source.position;
      const position = made.size;
      const translation = translations.get(ordinal);
      const before = this.#made.get(String(ordinal));
      const isUnchanged =
        isSame &&
        before?.source === source &&
        before.translation === translation &&
        before.row.position === position;
      const row = isUnchanged
        ? before.row
        : toRow(
            { ...source, ordinal, position },
            translation,
            view,
            before?.row,
            ordinal > lastKnown,
          );
      made.set(row.id, { source, translation, row });
    }
    const before = this.#made;
    this.#setMade(made);
    if (shown?.language !== language) this.#waiting.clear();
    for (const row of this.transcript.rows().reverse()) {
      const { id } = row;
      if (row.translation !== "waiting") this.#waiting.delete(id);
      else if (shown?.language !== language || before.get(id)?.row.translation !== "waiting")
        this.#waiting.add(id);
    }
    this.#waiting.update();
  }

  #setMade(made: ReadonlyMap<string, MadeRow>): void {
    this.#made = made;
    this.transcript.replaceAll([...made.values()].map(({ row }) => row));
  }

  /** The rows `ids` have waited too long. */
  #setLate(ids: ReadonlySet<string>): void {
    this.#setMade(
      new Map(
        [...this.#made].map(([id, made]) => {
          const { row } = made;
          if (!ids.has(id) || !row.placeholder) return [id, made];
          const placeholder = { ...row.placeholder, isLate: true as const };
          return [id, { ...made, row: { ...row, placeholder } }];
        }),
      ),
    );
  }
}

/** The languages as a reader of `language` sees them: in a two-way lecture, its own is the second, whichever it is. */
function toReadersPair(pair: LanguagePair, language: TargetLanguage): LanguagePair {
  const { sourceLanguage, targetLanguage, isTwoWay } = pair;
  const isFirst = sourceLanguage !== "detect" && isSameLanguage(sourceLanguage, language);
  return {
    sourceLanguage:
      isTwoWay && isFirst && targetLanguage !== "none"
        ? toSpokenLanguage(targetLanguage)
        : sourceLanguage,
    targetLanguage: language,
    isTwoWay: isTwoWay && (isFirst || language === targetLanguage),
  };
}

/** By their times; rows are numbered in the order in which they came. */
const compareRows = (one: SharedRow, other: SharedRow): number =>
  one.startMs - other.startMs || one.position - other.position;

/** @param isNew it follows a live line, for whose translation space was reserved. */
function toRow(
  source: SharedRow & Pick<TranscriptRow, "ordinal">,
  translation: SharedTranslation | undefined,
  { language, isTranslationPaused, isOver }: Source,
  before: TranscriptRow | undefined,
  isNew: boolean,
): TranscriptRow {
  const row = {
    ...source,
    id: String(source.ordinal),
    originalByHand: false,
    translatedByHand: false,
  };
  const text = translation?.text ?? null;
  const hasFailed = translation?.hasFailed === true;
  const isMissing = text === null && !hasFailed && (isTranslationPaused || isOver);
  const isNone = language === "none" || isSameLanguage(source.spokenIn, language) || text === "";
  if (isNone || isMissing)
    return { ...row, translated: "", translation: "none", translatedInto: null };
  const placeholder = toPlaceholder(language, before, {
    isNew,
    isWaiting: text === null && !hasFailed,
  });
  return {
    ...row,
    ...(placeholder && { placeholder }),
    translation: text !== null ? "done" : hasFailed ? "failed" : "waiting",
    translated: text ?? "",
    translatedInto: text === null ? null : language,
  };
}

/** What a row shows until its translation comes, and the space of the translation after that. */
function toPlaceholder(
  language: Exclude<TargetLanguage, "none">,
  before: TranscriptRow | undefined,
  { isNew, isWaiting }: { isNew: boolean; isWaiting: boolean },
): RowPlaceholder | undefined {
  const old = before?.placeholder?.language === language ? before.placeholder : undefined;
  if (!isWaiting)
    return old ? { language, text: old.text } : isNew ? { language, text: "" } : undefined;
  // A corrected sentence shows its earlier translation.
  const text = before?.translatedInto === language ? before.translated : (old?.text ?? "");
  return { language, text, ...(old?.isLate && { isLate: true }) };
}
