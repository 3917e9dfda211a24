import { useLanguage } from "./bundle.ts";

/** What is between two sentences, or a sentence and its link: nothing in Chinese. */
export const useSentenceSpace = (): string => (useLanguage() === "zh" ? "" : " ");
