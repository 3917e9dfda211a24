import { type LectureNotice, toSaveNotice } from "#client/lecture/lecture-notices.ts";
import type { LecturePorts } from "#client/lecture/lecture-ports.ts";
import { joinOriginals, listLanguages } from "#client/lecture/rows/spoken-text.ts";
import { TranscriptWriter } from "#client/lecture/rows/transcript-writer.ts";
import { StoredLecture } from "#client/lecture/saving/stored-lecture.ts";
import type { RowUpdate } from "#client/lecture/saving/unsaved-rows.ts";
import type { LectureFields, SessionApi } from "#client/lecture/server-api.ts";
import { isShallowEqual, type Observable, Signal } from "#client/lib/observable.ts";
import { withTerms } from "#client/translation/term-translation.ts";
import type { ActionItem } from "#shared/action-item.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import {
  defaultSourceLanguage,
  type LanguagePair,
  type TargetLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import type { Lecture, Mark, TranscriptEntry } from "#shared/lecture.ts";
import { contextTextMaxLength, marksMax, saveWaitMs } from "#shared/limits.ts";
import type { LectureAccess } from "#shared/people.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import type { RowFormula } from "#shared/row-formulas.ts";
import type { Sentence } from "#shared/segmentation.ts";
import type { SummaryTemplate } from "#shared/summary-template.ts";
import { ContextField } from "./context-field.ts";
import { getLanguages, getRecordedSeconds, type InitialState } from "./initial-state.ts";
import { LectureDetails } from "./lecture-details.ts";
import type {
  LectureDocument,
  LectureView,
  MissingTranslations,
  OtherTexts,
  RecorderView,
  RowTranslation,
  SaveState,
  SummaryView,
  TranscriptRow,
  TranscriptView,
} from "./lecture-document.ts";
import { LectureMarks, listMarkedSentences } from "./lecture-marks.ts";
import { LectureTerms } from "./lecture-terms.ts";
import { RecordedTakes } from "./recorded-takes.ts";
import { SummaryField } from "./summary-field.ts";

interface Deps {
  api: SessionApi;
  ports: LecturePorts;
  identity: "user" | "guest";
  notify(notice: LectureNotice): void;
  /** `view` or something that the session shows may have changed. */
  onChange(): void;
}

/** What a lecture's recording knows and learns of its text. */
export interface LectureSound {
  /** The server has confirmed rows or takes. */
  onSaved(): void;
  /** Rows of another tab or device were merged into this page's. */
  onRowsAdded(count: number): void;
  /** The speaker of a new row; null: the one that its words name, if they do. */
  findSpeaker(sentence: Sentence): string | null;
  /** Nobody has said the sentence: it becomes no row. */
  isInvented(sentence: Sentence): boolean;
}

/**
 * A lecture's text in this tab, edited and saved: rows with their translations, summary, context and
 * names. It knows no sound: `LectureRecording` connects it. `Lectures` opens it.
 */
export class EditableLecture implements LectureDocument {
  readonly lectureId: string;
  readonly access: LectureAccess | undefined;
  readonly isReadOnly: boolean;
  readonly writer: TranscriptWriter;
  readonly details: LectureDetails;
  readonly stored: StoredLecture;
  readonly recorded: RecordedTakes;
  readonly #marks: LectureMarks;
  readonly #terms: LectureTerms;
  readonly view: Signal<LectureView>;
  readonly transcript: TranscriptView;
  readonly missingTranslations: Observable<MissingTranslations | null>;
  readonly summary: Signal<SummaryView>;
  readonly actionItems: Signal<readonly ActionItem[]>;
  readonly marks: Signal<readonly Mark[]>;
  readonly terms: Observable<readonly GlossaryTerm[]>;
  #isRecording = false;
  #isDisposed = false;
  #recordedSeconds: number;
  /** The newest version that the server is known to have. */
  #seq: number;
  #sound: LectureSound | null = null;
  #recorder: RecorderView | null = null;

  constructor(
    private readonly deps: Deps,
    initial: InitialState,
  ) {
    const { api, ports, identity, notify } = deps;
    const onChange = () => this.#onChange();
    this.lectureId = initial.lectureId;
    this.access = initial.access;
    this.isReadOnly = initial.access?.role === "reads";
    this.#recordedSeconds = initial.recordedSeconds;
    this.#seq = initial.seq;
    const { log } = ports;
    const onSave = (fields: LectureFields) => this.stored.changeFields(fields);
    const context = new ContextField(
      {
        log,
        generate: (signal) => this.#generateContext(signal),
        isTitleMissing: () => this.stored.name === null,
        onTitle: (title) => this.stored.proposeTitle(title),
        onSave: (text) => onSave({ context: text === "" ? null : text }),
        onChange,
      },
      initial.context,
    );
    const summary = new SummaryField(
      {
        api,
        identity,
        lectureId: this.lectureId,
        log,
        notify,
        original: () => joinOriginals(this.writer.transcript.rows()),
        spokenIn: () => listLanguages(this.writer.transcript.rows()),
        markedSentences: () => listMarkedSentences(this.marks.get(), this.writer.transcript.rows()),
        saveLecture: () => this.stored.saveAll(),
        onSave: (text) => onSave({ summary: text || null }),
        saveOnce: (text, onSaved) => this.stored.saveOnce({ summary: text || null }, onSaved),
      },
      initial.summary,
    );
    this.details = new LectureDetails({ context, summary, onSave, onChange }, initial);
    this.summary = this.details.summary.view;
    this.actionItems = this.details.actionItems;
    this.#terms = new LectureTerms({
      readGlossary: (folderId) => api.readGlossary(folderId),
      getFolderId: () => this.stored.folderId,
      log,
    });
    this.terms = this.#terms.list;
    this.writer = new TranscriptWriter(
      {
        clock: ports.clock,
        log,
        newId: ports.newId,
        translate: withTerms(api.translate, this.terms),
        wordContext: () => this.details.context.trimmedText,
        findSpeaker: (sentence) => this.#sound?.findSpeaker(sentence) ?? null,
        isInvented: (sentence) => this.#sound?.isInvented(sentence) ?? false,
        onRowChange: (id) => this.stored.markRowChanged(id),
        onFailed: () => notify({ kind: "translationFailed" }),
      },
      initial,
    );
    this.transcript = this.writer.transcript;
    this.missingTranslations = this.writer.translator.missing;
    this.#marks = new LectureMarks(initial.marks, initial.lecture !== null);
    this.marks = this.#marks.list;
    this.recorded = new RecordedTakes(initial.takes, initial.lecture !== null);
    this.stored = new StoredLecture(
      {
        api,
        ports,
        identity,
        onChange,
        marks: this.#marks,
        takes: this.recorded,
        lectureId: this.lectureId,
        writer: this.writer,
        showRows: (update) => this.#showRows(update),
        onSaved: () => this.#sound?.onSaved(),
        onFolderMissing: () => notify({ kind: "newFolderMissing" }),
        onRefused: (code) => {
          // Its page says that another person's lecture is not shared any more.
          if (!this.access || code !== "not_found") notify(toSaveNotice(code, this.lectureId));
        },
      },
      initial,
    );
    this.view = new Signal(this.#createView());
    this.#updateTerms();
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }
  get hasContent(): boolean {
    return this.writer.transcript.length > 0 || this.writer.hasLiveText;
  }
  get hasPendingTranslations(): boolean {
    return this.writer.translator.pendingCount > 0;
  }
  /** Text is not in a row yet, or its translation is on its way. */
  get hasPendingText(): boolean {
    return this.writer.hasLiveText || this.hasPendingTranslations;
  }
  /** The server has all the words. Translations may be missing. */
  get isSaved(): boolean {
    const { state, isCreated } = this.stored;
    return state === "saved" && isCreated && !this.writer.hasLiveText;
  }
  /** As the saving reports it; also `unsaved` while text is not in a row yet or not translated. */
  get saveState(): SaveState {
    const { state } = this.stored;
    const isNowhereStored = !this.stored.isCreated && this.hasContent;
    if (state === "saved" && isNowhereStored) return "failed";
    if (state !== "saved" || this.#isRecording) return state;
    return this.hasPendingText ? "unsaved" : state;
  }
  /** Closing the page now would lose something. */
  get hasUnsavedChanges(): boolean {
    if (this.#isDisposed) return false;
    if (this.deps.identity === "guest" || !this.stored.isCreated) return this.hasContent;
    return !this.stored.isSaved || this.hasPendingText || this.details.summary.isUnfinished;
  }

  get isRecording(): boolean {
    return this.#isRecording;
  }
  set isRecording(isRecording: boolean) {
    this.#isRecording = isRecording;
    this.publish();
    this.#updateTerms();
  }

  /** What the recorder does with the lecture, while it is the one that it records. Null: it has left it. */
  showRecorder(recorder: RecorderView | null): void {
    this.#recorder = recorder;
    this.publish();
  }

  /** Updates `view` where something has changed. */
  publish(): void {
    const view = this.#createView();
    if (!isShallowEqual(view, this.view.get())) this.view.set(view);
  }

  setLanguages(change: Partial<LanguagePair>): void {
    const languages = { ...this.writer.languages, ...change };
    if (isShallowEqual(languages, this.writer.languages)) return;
    this.writer.setLanguages(languages);
    // Otherwise `create` sends the languages.
    if (this.stored.isCreated) this.stored.changeFields(change);
    this.#onChange();
  }

  refreshTerms(): void {
    if (this.deps.identity === "user") this.#terms.refresh();
  }

  /** Reads the terms before they are needed, unless they were read. */
  prepareTerms(): void {
    if (this.deps.identity === "user") this.#terms.update();
  }

  /** The folder in which the lecture is created; null: none. */
  set newFolderId(folderId: string | null) {
    if (this.stored.isCreated || this.stored.folderId === folderId) return;
    this.stored.newFolderId = folderId;
    this.prepareTerms();
  }

  setContext(text: string): void {
    this.details.context.set(text);
  }

  correctRow(
    position: number,
    change: { original?: string; translated?: string },
    base?: TranscriptRow,
  ): void {
    const { writer } = this;
    const before = writer.transcript.row(position);
    if (before === undefined) return;
    const { id } = before;
    writer.translator.correct(id, change, writer.getRowTarget(id));
    if (base) writer.offerOther(id, { base, stored: before });
    writer.dropOther(id);
    this.stored.saveSoon();
    this.#onChange();
  }

  dropOther(position: number, field: keyof OtherTexts): void {
    const id = this.writer.transcript.row(position)?.id;
    if (id !== undefined) this.writer.dropOther(id, field);
  }

  retryTranslations(): void {
    this.writer.translator.retryAll();
  }

  retryTranslation(position: number): void {
    const { writer } = this;
    const id = writer.transcript.row(position)?.id;
    if (id === undefined) return;
    writer.translator.retry(id, writer.getRowTarget(id));
    this.#onChange();
  }

  canRetryTranslation(position: number, language: TargetLanguage): boolean {
    const { writer } = this;
    const id = writer.transcript.row(position)?.id;
    return id !== undefined && writer.translator.canRetry(id, writer.getRowTarget(id, language));
  }

  retranslate(language: TranslationLanguage): void {
    this.setLanguages({ targetLanguage: language });
    this.writer.translator.retranslate(this.writer.languages);
    this.#onChange();
  }

  setTranslations(changes: ReadonlyMap<string, RowTranslation>): boolean {
    if (this.#isDisposed) return false;
    this.writer.transcript.changeAll(changes);
    for (const id of changes.keys()) this.stored.markRowChanged(id);
    this.#onChange();
    return true;
  }

  setFormulas(id: string, formulas: RowFormula[]): void {
    this.writer.transcript.change(id, { formulas });
    this.stored.markRowChanged(id);
    this.stored.saveSoon();
    this.#onChange();
  }

  renameSpeaker(label: string, name: string): void {
    this.details.renameSpeaker(label, name);
  }

  addMark(position: number | null): Mark | null {
    if (this.marks.get().length >= marksMax) {
      this.deps.notify({ kind: "capacityReached", code: "lecture_full" });
      return null;
    }
    const mark = { id: this.deps.ports.newId(), ...this.writer.getAnchor(position), note: "" };
    this.putMark(mark);
    return mark;
  }

  putMark(mark: Mark): void {
    this.#marks.put(mark);
    this.stored.saveLists();
  }

  /** What became of a take's sound has changed. `isDue`: it is to be saved. */
  reportTake(report: RecordedTake, isDue: boolean): void {
    this.recorded.put(report, isDue);
    if (isDue) this.stored.saveLists();
  }

  deleteMark(mark: Mark): () => void {
    this.#marks.delete(mark.id);
    this.stored.saveLists();
    return () => this.putMark(mark);
  }

  editSummary(draft: string | null): void {
    this.details.summary.edit(draft);
  }

  saveSummary(): Promise<boolean> {
    return this.details.summary.save();
  }

  keepSummary(): void {
    this.details.summary.keepDraft();
  }

  generateSummary(template: SummaryTemplate = "lecture"): Promise<void> {
    return this.details.summary.generate(this.writer.languages, template);
  }

  setActionItems(items: readonly ActionItem[]): void {
    this.details.setActionItems(items);
  }

  saveNow(): Promise<boolean> {
    return this.stored.flush(saveWaitMs);
  }

  /** Connects the recording of the lecture, in place of an earlier one. Returns the function that ends that. */
  connectSound(sound: LectureSound): () => void {
    this.#sound = sound;
    this.writer.goToEnd();
    const { wordCount } = this.transcript;
    const unsubscribe = wordCount.subscribe(() =>
      this.details.context.onWordCount(wordCount.get()),
    );
    return () => {
      unsubscribe();
      if (this.#sound === sound) this.#sound = null;
    };
  }

  /** Length of the lecture's clock as it is stored, whole seconds. */
  get recordedSeconds(): number {
    return this.#recordedSeconds;
  }

  updateFrom(stored: Lecture): void {
    if (this.#isDisposed || stored.seq < this.#seq) return;
    this.#seq = stored.seq;
    this.#recordedSeconds = Math.max(this.#recordedSeconds, getRecordedSeconds(stored));
    if (this.stored.isSaved) {
      this.stored.updateInfo(stored);
      this.details.update(stored);
      this.details.mergeDemoMark(stored.hasDemoText);
      this.#marks.merge(stored.marks);
      this.recorded.merge(stored.takes);
      this.writer.setLanguages(getLanguages(stored));
    }
    this.stored.mergeRows(stored);
    this.#onChange();
  }

  get saveCount(): number {
    return this.stored.saveCount;
  }

  listStoredRows(): TranscriptEntry[] {
    return this.writer.transcript.rows().flatMap(({ id }) => this.stored.getStoredRow(id) ?? []);
  }

  /** Retries now what waits to be translated or saved. */
  wake(): void {
    this.writer.translator.wake();
    this.#terms.wake();
    // Rows can be saved only once the lecture exists.
    if (!this.stored.isCreated && this.hasContent) this.stored.create().catch(() => {});
  }

  dispose(): void {
    this.#isDisposed = true;
    this.writer.dispose();
    this.details.dispose();
    this.stored.dispose();
  }

  async #generateContext(signal: AbortSignal) {
    const { api, identity } = this.deps;
    const { transcript } = this.writer;
    if (identity === "guest") {
      const text = joinOriginals(transcript.rows()).slice(0, contextTextMaxLength);
      const spokenIn = listLanguages(transcript.rows())[0] ?? defaultSourceLanguage;
      return api.generateContext({ text, spokenIn }, signal);
    }
    await this.stored.saveAll();
    return api.generateContext({ lectureId: this.lectureId }, signal);
  }

  #showRows({ entries, deletedIds }: RowUpdate): void {
    if (entries.length + deletedIds.length === 0) return;
    const { transcript } = this.writer;
    const lengthBefore = transcript.length;
    this.writer.updateRows(entries, deletedIds);
    this.#sound?.onRowsAdded(transcript.length - lengthBefore);
    this.#onChange();
  }

  /** A lecture that is only open and stored nowhere needs no terms yet. */
  #updateTerms(): void {
    const isInUse = this.#isRecording || this.stored.lecture !== null;
    if (this.deps.identity === "user" && isInUse) this.#terms.update();
  }

  #onChange(): void {
    this.publish();
    this.#updateTerms();
    this.deps.onChange();
  }

  #createView(): LectureView {
    return {
      status: this.#isRecording ? "recording" : "paused",
      busy: null,
      recordedSeconds: this.#recordedSeconds,
      ...this.#recorder,
      saveState: this.saveState,
      lecture: this.stored.lecture,
      ...this.writer.languages,
      context: this.details.context.text,
      contextState: this.details.context.state,
      speakerNames: this.details.speakerNames,
      hasDemoText: this.details.hasDemoText,
    };
  }
}
