import { getLanguage, useLanguage } from "./bundle.ts";
import en from "./demo/en.json" with { type: "json" };
import zh from "./demo/zh.json" with { type: "json" };

/**
 * The texts that mark a lecture as the demo voice's. Both languages are part of the program and not fetched as a bundle:
 * wherever the text can be shown or saved its mark can be too, and a file is recognised in either language.
 */
const texts = { en: toTexts(en), zh: toTexts(zh) };

function toTexts(messages: typeof en) {
  // The build compiles a message into a list of its parts: of these, into one.
  const label = String(messages["demo.label"]);
  const mark = String(messages["demo.mark"]);
  /** `label`: beside a title. `mark`: the sentence over the text. */
  return { label, mark };
}

export const useDemoTexts = () => texts[useLanguage()];

/** The sentence where `hasDemoText`; else null. */
export const getDemoMark = (hasDemoText: boolean): string | null =>
  hasDemoText ? texts[getLanguage()].mark : null;

/** Whether `line` of a file is the sentence in one of the interface's languages. */
export const isDemoMark = (line: string): boolean =>
  Object.values(texts).some(({ mark }) => mark === line.trim());
