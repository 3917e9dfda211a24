import type { RowTranslator } from "#client/realtime/translation/row-translator.ts";
import type { TranscriptRow } from "#client/realtime/types.ts";
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

/** Puts a person's words into `row`; true when that changed what is stored of it. */
export function correctRow(own: CorrectionTarget, row: TranscriptRow, change: Correction): boolean {
  const { position } = row;
  const english = cleanText(change.english);
  const anew = english !== undefined && english !== "" && english !== row.english;
  if (anew) own.store.change(position, { english });
  const translated = cleanText(change.translated);
  if (translated !== undefined && translated !== row.translated)
    setTranslation(own, row, translated);
  else if (anew && !row.translatedByHand) retranslate(own, row);
  else return anew;
  return true;
}

function setTranslation(
  { store, translator, language }: CorrectionTarget,
  row: TranscriptRow,
  text: string,
): void {
  const { position } = row;
  const own = language === "none" ? null : language;
  const into = translator.getLanguage(position) ?? row.translatedInto ?? own;
  translator.cancel(position);
  store.change(position, {
    translated: text,
    translation: text === "" ? "none" : "done",
    translatedInto: text === "" ? null : into,
    translatedByHand: true,
  });
}

/** The translation of other words is of no use; it stays readable until the new one is in. */
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
