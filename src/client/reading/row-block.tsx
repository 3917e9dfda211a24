import { Fragment, memo, type ReactNode } from "react";
import type { RowBlock, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { findSpeakerName } from "#client/lib/text.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import {
  BilingualRow,
  getColumnClass,
  getTone,
  originalClass,
  SpeakerTag,
} from "#client/ui/bilingual.tsx";
import { showFormulas } from "#client/ui/lazy-formula.tsx";
import { getTextLanguage, isSecondLanguage, type LanguagePair } from "#shared/languages.ts";
import type { Mark } from "#shared/lecture.ts";
import { authorMessages } from "./author/messages/index.ts";
import { readingDialogMessages } from "./dialog-messages/index.ts";
import { GapLines, type Gaps } from "./gaps.tsx";
import { hearMessages } from "./hearing/messages/index.ts";
import { MarkedTime, RowNotes } from "./marks.tsx";
import type { ChooseText } from "./other-texts.tsx";
import { type RowEditing, RowEditor } from "./row-editor.tsx";
import { getRowTexts, getSwapKey, type ShownText } from "./shown-texts.ts";
import { slideMessages } from "./slides/messages/index.ts";
import type { ShownSlide } from "./slides/slides-state.ts";
import { Translation } from "./translation.tsx";
import type { Marks } from "./use-marks.ts";

const RowFormulas = lazyPart(() => import("./formulas/row-formulas.tsx"));
const OtherTexts = lazyPart(() => import("./other-texts.tsx"), readingDialogMessages);
const RowSlides = lazyPart(() => import("./slides/row-slides.tsx"), slideMessages);
const RowAuthor = lazyPart(() => import("./author/row-author.tsx"), authorMessages);
const NotSpoken = lazyPart(() => import("./hearing/not-spoken.tsx"), hearMessages);

/** A paragraph ends with a pause of this length, ms, or after so many sentences; and where the speaker changes. */
const paragraphPauseMs = 2_000;
const paragraphSentences = 5;

interface Line {
  speaker: string | null;
  startMs: number;
  /** Of a row that was imported without times 0; of the line being spoken missing. */
  endMs?: number;
}

export interface RowStart {
  speaker: string | null;
  time: string | null;
  /** It begins a paragraph, and is not the first of all. */
  isNewParagraph: boolean;
}

/**
 * What to show at the start of a row or of the live line: the time where a paragraph begins, and the speaker where it
 * changes. `sentences`: how many the paragraph before it has; of its own one at the least.
 */
export function getRowStart(
  line: Line,
  previousRow: Line | undefined,
  sentences: number,
): RowStart & { sentences: number } {
  const showsSpeaker = line.speaker !== null && line.speaker !== previousRow?.speaker;
  const hasPause =
    line.endMs !== 0 &&
    previousRow?.endMs !== undefined &&
    line.startMs - previousRow.endMs >= paragraphPauseMs;
  const isNew = !previousRow || showsSpeaker || hasPause || sentences >= paragraphSentences;
  return {
    speaker: showsSpeaker ? line.speaker : null,
    time: isNew && line.endMs !== 0 ? formatClock(line.startMs / 1000) : null,
    isNewParagraph: isNew && previousRow !== undefined,
    sentences: isNew ? 1 : sentences + 1,
  };
}

/** The starts of `rows`, and how many sentences the last paragraph has then. */
export function listRowStarts(
  rows: readonly TranscriptRow[],
  previousRow: TranscriptRow | undefined,
  sentencesBefore: number,
): { starts: RowStart[]; sentences: number } {
  const starts: RowStart[] = [];
  let sentences = sentencesBefore;
  for (const [index, row] of rows.entries()) {
    const { sentences: count, ...start } = getRowStart(
      row,
      rows[index - 1] ?? previousRow,
      sentences,
    );
    starts.push(start);
    sentences = count;
  }
  return { starts, sentences };
}

export interface KeptSound {
  /** Of the button that plays from a time. */
  playLabel: string;
  hasSoundAt: (startMs: number) => boolean;
}

/** A row's time, which plays the kept sound from there. The click is handled by a listener for `data-play-from`. */
function PlayTime({
  row,
  sound,
  isShown,
}: {
  row: TranscriptRow;
  sound: KeptSound;
  isShown: boolean;
}) {
  const time = formatClock(row.startMs / 1000);
  return (
    <button
      type="button"
      tabIndex={-1}
      data-play-from={row.startMs}
      aria-label={`${sound.playLabel}: ${time}`}
      title={sound.playLabel}
      // Within a paragraph the sentence itself is pressed; its key looks for the button.
      className={`touch-reach rounded-s transition-colors duration-150 ease-quiet hover:text-ink hover:underline ${isShown ? "" : "hidden"}`}
    >
      {time}
    </button>
  );
}

export interface MissingText {
  position: number;
  text: ReactNode;
}

interface RowBlockViewProps extends RowEditing {
  block: RowBlock;
  /** It may be in view while text is added. */
  isNearEnd: boolean;
  texts: readonly ShownText[];
  /** Of the lecture; the same object while it is the same pair. */
  pair: LanguagePair;
  /** Whether a row that is edited has a field for its translation. */
  isTranslated: boolean;
  /** Rows that show their other language, by `getSwapKey`. */
  swapped: ReadonlySet<string>;
  marks: Marks["rows"];
  gaps: Gaps["rows"];
  /** Ids of rows whose translation was to be spoken, and was not. */
  notSpoken: ReadonlySet<string>;
  /** By the id of the row at which they stand. */
  slides: ReadonlyMap<string, readonly ShownSlide[]>;
  /** The row before the block. */
  previousRow: TranscriptRow | undefined;
  /** How many sentences of its paragraph are before the block. */
  sentencesBefore: number;
  names: SessionView["speakerNames"];
  /** What a click on a speaker does; undefined where speakers cannot be named. */
  rename: string | undefined;
  /** Whether there is kept sound at a time, and what a click on that time does; undefined where none is kept. */
  sound: KeptSound | undefined;
  /** Whether a failed row can be translated again. */
  canRetry: (position: number) => boolean;
  /** Answers an offer of another person's text; undefined where none is shown. */
  chooseText: ChooseText | undefined;
  editing: number | null;
  /** Why translations are missing, told in the row at `position`. */
  missing: MissingText | null;
}

/**
 * Up to 50 rows. A block whose rows are all finished does not render again, and costs nothing while out
 * of view. Rows have no event listeners: `useRows` listens for all of them.
 */
export const RowBlockView = memo(function RowBlockView({
  block,
  isNearEnd,
  previousRow,
  sentencesBefore,
  editing,
  swapped,
  marks,
  gaps,
  notSpoken,
  slides,
  missing,
  ...shared
}: RowBlockViewProps) {
  const { starts } = listRowStarts(block.rows, previousRow, sentencesBefore);
  return (
    // Its padding holds the edges of the rows, which their focus rings need. Rows that move leave the block for a moment,
    // and would be cut at its edge, like the tools of a touched one. Its height is remembered from the beginning, for when it costs nothing.
    <div
      className={`-mx-2 px-2 [contain-intrinsic-size:auto_2800px] ${isNearEnd ? "" : "[content-visibility:auto] has-data-touched:[content-visibility:visible]"}`}
    >
      {block.rows.map((row, index) => (
        <Fragment key={row.position}>
          <Row
            row={row}
            {...(starts[index] ?? noStart)}
            editing={editing === row.position}
            isSwapped={swapped.has(getSwapKey(row))}
            marks={marks.get(row.position)}
            slides={slides.get(row.id)}
            isNotSpoken={row.translation === "done" && notSpoken.has(row.id)}
            missing={missing?.position === row.position ? missing.text : null}
            {...shared}
          />
          <GapLines gaps={gaps.get(row.position)} sound={shared.sound} />
        </Fragment>
      ))}
    </div>
  );
});

const noStart: RowStart = { speaker: null, time: null, isNewParagraph: false };

type RowProps = Omit<
  RowBlockViewProps,
  | "block"
  | "isNearEnd"
  | "previousRow"
  | "sentencesBefore"
  | "editing"
  | "swapped"
  | "marks"
  | "gaps"
  | "notSpoken"
  | "slides"
  | "missing"
> &
  RowStart & {
    row: TranscriptRow;
    editing: boolean;
    isSwapped: boolean;
    marks: readonly Mark[] | undefined;
    slides: readonly ShownSlide[] | undefined;
    isNotSpoken: boolean;
    missing: ReactNode;
  };

const Row = memo(function Row({
  row,
  texts,
  pair,
  isTranslated,
  isSwapped,
  speaker,
  names,
  rename,
  sound,
  canRetry,
  chooseText,
  editing,
  finish,
  marks,
  slides,
  isNotSpoken,
  missing,
  ...start
}: RowProps) {
  const shape = { ...start, columns: texts.length > 1 ? "two" : "one" } as const;
  const isSecond = texts.length > 1 && isSecondLanguage(pair, row.spokenIn);
  if (editing)
    return (
      <RowEditor
        key={row.startMs}
        {...shape}
        isTranslated={isTranslated}
        isSecond={isSecond}
        row={row}
        finish={finish}
      />
    );
  const tag =
    speaker === null ? null : (
      <SpeakerTag speaker={speaker} name={findSpeakerName(names, speaker)} action={rename} />
    );
  const time: ReactNode =
    row.endMs > 0 && sound?.hasSoundAt(row.startMs) === true ? (
      <PlayTime row={row} sound={sound} isShown={shape.time !== null || marks !== undefined} />
    ) : (
      shape.time
    );
  const rowTexts = getRowTexts(texts, row, pair, isSwapped);
  const taggedText = row.translation === "none" ? "original" : rowTexts[0];
  const hasTime = shape.time !== null || marks !== undefined;
  const thumbnail = slides ? (
    <RowSlides slides={slides} hasTime={hasTime} isNewParagraph={shape.isNewParagraph} />
  ) : null;
  return (
    <BilingualRow
      {...shape}
      time={
        <>
          {marks ? (
            <MarkedTime marks={marks}>
              {time ?? (row.endMs === 0 ? null : formatClock(row.startMs / 1000))}
            </MarkedTime>
          ) : (
            time
          )}
          {hasTime ? thumbnail : null}
        </>
      }
      position={row.position}
    >
      {hasTime ? null : thumbnail}
      {rowTexts.map((text, index) => {
        const ownTag = text === taggedText ? tag : null;
        const columnClass = `${getColumnClass(index, isSecond)} ${getTone(index)}`;
        return text === "original" ? (
          <p
            key={text}
            {...getTextLanguage(row.spokenIn)}
            className={`${originalClass} ${columnClass}`}
          >
            {ownTag}
            {showFormulas(row.original)}
          </p>
        ) : (
          <Translation
            key={text}
            row={row}
            canRetry={canRetry}
            tag={ownTag}
            missing={missing}
            className={`${columnClass} ${pair.isTwoWay ? "text-ink-2" : ""}`}
          />
        );
      })}
      {isNotSpoken ? <NotSpoken id={row.id} /> : null}
      {row.formulas?.length ? <RowFormulas row={row} /> : null}
      {row.author ? <RowAuthor name={row.author} /> : null}
      {marks ? <RowNotes marks={marks} /> : null}
      {row.other && chooseText ? <OtherTexts row={row} choose={chooseText} /> : null}
    </BilingualRow>
  );
});
