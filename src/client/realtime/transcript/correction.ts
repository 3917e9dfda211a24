import type { RowTranslator } from "#client/realtime/translation/row-translator.ts";
import type { TranscriptRow } from "#client/realtime/types.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import { entryTextMaxLength } from "#shared/limits.ts";
import type { TranscriptStore } from "./store.ts";

export interface Correction {
  english?: string;
  translated?: string;
}

interface Own {
  store: TranscriptStore;
  translator: RowTranslator;
  language: TargetLanguage;
}

/** Puts a person's words into `row`; true when that changed what is stored of it. */
export function correctRow(own: Own, row: TranscriptRow, change: Correction): boolean {
  const { position } = row;
  const english = written(change.english);
  const anew = english !== undefined && english !== "" && english !== row.english;
  if (anew) own.store.change(position, { english });
  const translated = written(change.translated);
  if (translated !== undefined && translated !== row.translated) setByHand(own, row, translated);
  else if (anew && !row.translatedByHand) translateAnew(own, row);
  else return anew;
  return true;
}

function setByHand({ store, translator, language }: Own, row: TranscriptRow, text: string): void {
  const { position } = row;
  const own = language === "none" ? null : language;
  const into = translator.languageOf(position) ?? row.translatedInto ?? own;
  translator.cancel(position);
  store.change(position, {
    translated: text,
    translation: text === "" ? "none" : "done",
    translatedInto: text === "" ? null : into,
    translatedByHand: true,
  });
}

/** The translation of other words is of no use; it stays readable until the new one is in. */
function translateAnew({ store, translator, language }: Own, row: TranscriptRow): void {
  const { position } = row;
  const into = translator.languageOf(position) ?? row.translatedInto ?? language;
  if (into === "none") return;
  store.change(position, { translation: "waiting" });
  translator.ask(position, into, "byHand");
}

function written(text: string | undefined): string | undefined {
  return text?.replaceAll("\0", "").trim().slice(0, entryTextMaxLength);
}
