import { type RefObject, useCallback, useEffect, useMemo, useState } from "react";
import type { LectureDocument, RowBlock } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart, lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import type { LanguagePair } from "#shared/languages.ts";
import { readingDialogMessages, useT } from "./dialog-messages/index.ts";
import { FindInLecture } from "./find-in-lecture.tsx";
import { GapLines, type Gaps, useGaps } from "./gaps.tsx";
import { hearRequest, notSpokenRows } from "./hearing/hear-state.ts";
import { hearMessages } from "./hearing/messages/index.ts";
import { LiveLine } from "./live-line.tsx";
import { MarkedOnlyBar, MarkTools } from "./marks.tsx";
import { MissingTranslation, PinnedNotes, useIsAbove } from "./missing-translation.tsx";
import type { ChooseText } from "./other-texts.tsx";
import { correctedRow, readingDialog, shownSound } from "./reading-state.ts";
import { type KeptSound, listRowStarts, type MissingText, RowBlockView } from "./row-block.tsx";
import type { RowEditing } from "./row-editor.tsx";
import { RowTools } from "./row-tools.tsx";
import type { ShownText } from "./shown-texts.ts";
import { rowSlides } from "./slides/slides-state.ts";
import { type Marks, markedOnly, useMarks } from "./use-marks.ts";
import { useRowSwap } from "./use-row-swap.ts";
import { findRowAt, useRows } from "./use-rows.ts";
import { useSearchTarget } from "./use-search-target.ts";

const isWithin = ({ rows }: RowBlock, position: number) =>
  position >= (rows[0]?.position ?? Infinity) && position <= (rows.at(-1)?.position ?? -1);

export { MarkButton } from "./marks.tsx";

type ByRow<T> = ReadonlyMap<number, T>;
const nothing: ByRow<never> = new Map<number, never>();

/** The same object for all blocks that have none of `things`, which then do not render again. */
const getWithin = <T,>(block: RowBlock, things: ByRow<T>): ByRow<T> =>
  block.rows.some(({ position }) => things.has(position)) ? things : nothing;

const noIds: ReadonlySet<string> = new Set();

const noSlides: ReadonlyMap<string, never> = new Map<string, never>();

/** The same for rows by their ids. */
const getIdsWithin = <T extends Pick<ReadonlySet<string>, "size" | "has">>(
  block: RowBlock,
  ids: T,
  none: T,
): T => (ids.size > 0 && block.rows.some(({ id }) => ids.has(id)) ? ids : none);

const noGaps: Gaps = { rows: nothing, live: [] };

/** The marked rows, in one block, because the height of a block out of view is estimated for 50 rows. */
function selectMarked(blocks: readonly RowBlock[], marks: Marks["rows"]): RowBlock[] {
  const rows = blocks.flatMap((block) => block.rows).filter(({ position }) => marks.has(position));
  return rows.length > 0 ? [{ from: 0, rows }] : [];
}

const Announcer = lazyPartAfterPaint(() => import("./announcer.tsx"), readingDialogMessages);
const HearTranslation = lazyPart(() => import("./hearing/hear-translation.tsx"), hearMessages);
const TranslationHelp = lazyPart(() => import("./translation-help.tsx"), readingDialogMessages);

/** Below the page's head, which it does not fade with in full screen. */
interface TranscriptRowsProps {
  lecture: LectureDocument;
  texts: readonly ShownText[];
  pair: LanguagePair;
  isTranslated: boolean;
  /** The scrolling element; it receives the keys. */
  page: RefObject<HTMLElement | null>;
  /** Returns whether the end of the text was followed until now. */
  stopFollowing: () => boolean;
  follow: () => void;
  /** Opens the settings of the engines; undefined where there are none. */
  openSettings: (() => void) | undefined;
  /** The page has the demo's mark, and no head of its own above the rows. */
  hasOpening: boolean;
}

export default function TranscriptRows({
  lecture,
  texts,
  pair,
  isTranslated,
  page,
  stopFollowing,
  follow,
  openSettings,
  hasOpening,
}: TranscriptRowsProps) {
  const t = useT();
  const { targetLanguage } = pair;
  const names = useField(lecture.view, "speakerNames");
  const hasDemoText = useField(lecture.view, "hasDemoText");
  const isPlaying = useField(lecture.view, "status") === "recording";
  const allBlocks = useValue(lecture.transcript.blocks);
  const marks = useMarks(lecture);
  const showsMarkedOnly = useValue(markedOnly);
  const allGaps = useGaps(lecture);
  const gaps = showsMarkedOnly ? noGaps : allGaps;
  const blocks = showsMarkedOnly ? selectMarked(allBlocks, marks.rows) : allBlocks;
  const lectureId = useField(lecture.view, "lecture")?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another lecture is shown whole
  useEffect(() => () => markedOnly.set(false), [lectureId]);
  const [editing, setEditing] = useState<number | null>(null);
  // What was typed is saved while its lecture is still the open one.
  const loading = useField(lecture.view, "busy") === "loading";
  if (loading && editing !== null) setEditing(null);

  const { swapped, announcement } = useRowSwap(page, texts, lecture.transcript);

  const edit = useCallback(
    (position: number) => {
      if (lecture.isReadOnly || lecture.view.get().busy === "loading") return;
      // Neither new sentences nor the one that is heard next may scroll the edited row away.
      stopFollowing();
      shownSound.get()?.pause();
      setEditing(position);
    },
    [lecture, stopFollowing],
  );
  const finish = useCallback<RowEditing["finish"]>(
    (edited, change) => {
      const focusedRow = document.activeElement?.closest("[data-row]");
      const hasFocus = focusedRow != null && page.current?.contains(focusedRow) === true;
      setEditing((current) => (current === edited.position ? null : current));
      const isShown = lecture.view.get().lecture?.id === lectureId;
      const row = isShown
        ? lecture.transcript.rows().find(({ id }) => id === edited.id)
        : undefined;
      if (!row) return;
      const { position } = row;
      if (change) {
        lecture.correctRow(position, change, edited);
        const { original, translated } = { ...row, ...change };
        correctedRow.set({ before: row, after: { original, translated } });
      }
      // Keeps the focus on this row, unless the editing ended by a click elsewhere.
      if (hasFocus)
        requestAnimationFrame(() => page.current && findRowAt(page.current, position)?.focus());
    },
    [lecture, lectureId, page],
  );
  const canRetry = useCallback(
    (position: number) => lecture.canRetryTranslation(position, targetLanguage),
    [lecture, targetLanguage],
  );
  const chooseText = useCallback<ChooseText>(
    (position, field, text) => {
      if (text !== null) lecture.correctRow(position, { [field]: text });
      lecture.dropOther?.(position, field);
    },
    [lecture],
  );
  useRows(page, {
    edit,
    retry: (position) => lecture.retryTranslation(position),
    rename: (speaker) => readingDialog.set({ kind: "speakers", first: speaker }),
  });

  const player = useValue(shownSound);
  const playLabel = t("reading.playFrom");
  const heard = useValue(hearRequest);
  const notSpoken = useValue(notSpokenRows);
  const slides = useValue(rowSlides);
  const sound = useMemo<KeptSound | undefined>(
    () => player?.hasSoundAt && { playLabel, hasSoundAt: player.hasSoundAt },
    [player, playLabel],
  );

  useSearchTarget(page, allBlocks, stopFollowing);
  const missing = useMissingText(lecture, openSettings);
  const isMissingAbove = useIsAbove(page, missing?.position ?? null);
  /** How many sentences of its paragraph are before each block, and before the live line. */
  const sentencesBefore = [0];
  for (const [index, { rows }] of blocks.entries()) {
    const before = sentencesBefore[index] ?? 0;
    const previousRow = blocks[index - 1]?.rows.at(-1);
    sentencesBefore.push(listRowStarts(rows, previousRow, before).sentences);
  }
  const isTold = missing !== null && texts.includes("translation");

  return (
    <>
      <PinnedNotes
        columns={texts.length > 1 ? "two" : "one"}
        hasDemoText={hasDemoText && !hasOpening}
        missing={isTold && isMissingAbove ? missing.text : null}
      />
      <FindInLecture
        blocks={blocks}
        texts={texts}
        pair={pair}
        page={page}
        stopFollowing={stopFollowing}
        hasMarks={!lecture.isReadOnly}
      />
      {showsMarkedOnly ? <MarkedOnlyBar count={marks.rows.size} /> : null}
      <RowTools
        lecture={lecture}
        edit={edit}
        marks={marks.rows}
        stopFollowing={stopFollowing}
        follow={follow}
      >
        <GapLines gaps={gaps.rows.get(-1)} sound={sound} />
        {blocks.map((block, index) => (
          <RowBlockView
            key={block.from}
            block={block}
            isNearEnd={isPlaying && index >= blocks.length - 2}
            texts={texts}
            pair={pair}
            isTranslated={isTranslated}
            swapped={swapped}
            marks={getWithin(block, marks.rows)}
            gaps={getWithin(block, gaps.rows)}
            notSpoken={getIdsWithin(block, notSpoken, noIds)}
            slides={getIdsWithin(block, slides, noSlides)}
            previousRow={blocks[index - 1]?.rows.at(-1)}
            sentencesBefore={sentencesBefore[index] ?? 0}
            names={names}
            rename={lecture.isReadOnly || lecture.access ? undefined : t("reading.nameSpeakers")}
            sound={sound}
            canRetry={canRetry}
            chooseText={chooseText}
            editing={editing !== null && isWithin(block, editing) ? editing : null}
            finish={finish}
            missing={
              isTold && !isMissingAbove && isWithin(block, missing.position) ? missing : null
            }
          />
        ))}
        {showsMarkedOnly && marks.live.length === 0 ? null : (
          <LiveLine
            transcript={lecture.transcript}
            marks={marks.live}
            texts={texts}
            pair={pair}
            previousRow={blocks.at(-1)?.rows.at(-1)}
            sentencesBefore={sentencesBefore.at(-1) ?? 0}
            names={names}
            caret={isPlaying ? (lecture.isReadOnly ? "sample" : "recording") : "hidden"}
          />
        )}
        <GapLines gaps={gaps.live} sound={sound} />
      </RowTools>
      {lecture.isReadOnly ? null : <MarkTools lecture={lecture} marks={marks} page={page} />}
      {/* Two voices at once are understood by nobody. */}
      {heard ? (
        <HearTranslation lecture={lecture} page={page} request={heard} />
      ) : (
        <Announcer lecture={lecture} texts={texts} />
      )}
      <div ref={announcement} aria-live="polite" className="sr-only" />
    </>
  );
}

/** Why translations are missing and what can be done, in place of the first of them. A reader can do nothing. */
function useMissingText(
  lecture: LectureDocument,
  openSettings: (() => void) | undefined,
): MissingText | null {
  const t = useT();
  const missing = useValue(lecture.missingTranslations);
  return useMemo(() => {
    if (missing === null) return null;
    const { position } = missing;
    const text = openSettings ? (
      <TranslationHelp lecture={lecture} {...missing} openSettings={openSettings} />
    ) : (
      <MissingTranslation>{t("missing.slow")}</MissingTranslation>
    );
    return { position, text };
  }, [missing, lecture, openSettings, t]);
}
