import type { TranscriptRow } from "#client/realtime/session-types.ts";
import type { RowTranslator } from "#client/realtime/translation/row-translator.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import { entryTextMaxLength } from "#shared/limits.ts";
import type { TranscriptStore } from "./store.ts";

export interface Correction {
  english?: string;
  translated?: string;
}

interface CorrectionTarget {
  store: TranscriptStore;
  translator: RowTranslator;
  language: TargetLanguage;
}

/** Applies a person's correction to `row`. True when something to be stored has changed. */
export function correctRow(
  target: CorrectionTarget,
  row: TranscriptRow,
  change: Correction,
): boolean {
  const { position } = row;
  const english = cleanText(change.english);
  const hasNewEnglish = english !== undefined && english !== "" && english !== row.english;
  if (hasNewEnglish) target.store.change(position, { english });
  const translated = cleanText(change.translated);
  if (translated !== undefined && translated !== row.translated)
    setTranslation(target, row, translated);
  else if (hasNewEnglish && !row.translatedByHand) retranslate(target, row);
  else return hasNewEnglish;
  return true;
}

function setTranslation(
  { store, translator, language }: CorrectionTarget,
  row: TranscriptRow,
  text: string,
): void {
  const { position } = row;
  const fallback = language === "none" ? null : language;
  const into = translator.getLanguage(position) ?? row.translatedInto ?? fallback;
  translator.cancel(position);
  store.change(position, {
    translated: text,
    translation: text === "" ? "none" : "done",
    translatedInto: text === "" ? null : into,
    translatedByHand: true,
  });
}

/** Requests a new translation; the old one stays visible until it arrives. */
function retranslate({ store, translator, language }: CorrectionTarget, row: TranscriptRow): void {
  const { position } = row;
  const into = translator.getLanguage(position) ?? row.translatedInto ?? language;
  if (into === "none") return;
  store.change(position, { translation: "waiting" });
  translator.request(position, into, "byHand");
}

function cleanText(text: string | undefined): string | undefined {
  return text?.replaceAll("\0", "").trim().slice(0, entryTextMaxLength);
}
