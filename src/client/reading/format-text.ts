import { getDemoMark } from "#client/i18n/demo-texts.ts";
import type {
  LectureDocument,
  LectureView,
  RowBlock,
  TranscriptRow,
  TranscriptView,
} from "#client/lecture/lecture-document.ts";
import { findSpeakerName } from "#client/lib/text.ts";
import { readingMode, translationFirst } from "#client/state/preferences.ts";
import { formatSpeaker } from "#client/ui/bilingual.tsx";
import { getShownTexts, getShownWords } from "./shown-texts.ts";

/**
 * The transcript as plain text: a line for each text of a row, a blank line between rows of two texts and
 * before another speaker, whose name begins the line.
 */
export function formatText(
  blocks: readonly RowBlock[],
  names: Readonly<Record<string, string>>,
  getTexts: (row: TranscriptRow) => readonly string[],
): string {
  let speaker: string | null = null;
  let text = "";
  for (const row of blocks.flatMap(({ rows }) => rows)) {
    const lines = getTexts(row).filter((line) => line.trim() !== "");
    if (lines.length === 0) continue;
    const isTurn = row.speaker !== null && row.speaker !== speaker;
    if (isTurn && row.speaker !== null) {
      const name = findSpeakerName(names, row.speaker) ?? formatSpeaker(row.speaker);
      lines[0] = `${name} ${lines[0]}`;
      speaker = row.speaker;
    }
    if (text !== "") text += isTurn || lines.length > 1 ? "\n\n" : "\n";
    text += lines.join("\n");
  }
  return text;
}

/** `text` below the demo's mark, where there is any. */
const addDemoMark = (text: string, hasDemoText: boolean): string =>
  text === ""
    ? text
    : [getDemoMark(hasDemoText), text].filter((part) => part !== null).join("\n\n");

/** The texts of `lecture` that are shown. */
export function formatShownText({
  transcript,
  view,
}: Pick<LectureDocument, "transcript" | "view">): string {
  const texts = getShownTexts(readingMode.get(), translationFirst.get());
  const pair = view.get();
  const text = formatText(transcript.blocks.get(), pair.speakerNames, (row) =>
    getShownWords(texts, row, pair),
  );
  return addDemoMark(text, pair.hasDemoText);
}

/** Everything that was said, also the sentence being spoken, which is no row yet. */
export function formatGuestText(
  { blocks, live }: Pick<TranscriptView, "blocks" | "live">,
  { speakerNames, hasDemoText }: Pick<LectureView, "speakerNames" | "hasDemoText">,
): string {
  const sentences = formatText(
    blocks.get(),
    speakerNames,
    ({ original, translation, translated }) =>
      translation === "done" ? [original, translated] : [original],
  );
  const line = live.get();
  const text = `${sentences}\n\n${line ? line.finalText + line.interimText : ""}`.trim();
  return addDemoMark(text, hasDemoText);
}
