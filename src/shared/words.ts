/** Texts that stand in place of a result. They are stored or displayed as they are. */
export const translationFailed = "[Translation Failed]";
export const noTranslation = "[No translation]";
export const untranslatableFragment = "[Untranslatable fragment]";
export const summaryFailed = "[Summary Failed]";

/** Scripts of the spoken languages without spaces between words, for a character class. */
export const unspacedScripts = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}`;
const unspaced = new RegExp(`[${unspacedScripts}]`, "u");

/** Whether `text` has letters of a script without spaces between words. */
export const isUnspaced = (text: string): boolean => unspaced.test(text);

let words: Intl.Segmenter | undefined;

/** Where each word begins. In scripts without spaces between words, a dictionary knows them. */
export const listWordStarts = (text: string): number[] =>
  [...text.matchAll(/\S+/gu)].flatMap(({ 0: run, index }) => {
    if (!isUnspaced(run)) return index;
    words ??= new Intl.Segmenter([], { granularity: "word" });
    return [...words.segment(run)].flatMap((one) => (one.isWordLike ? index + one.index : []));
  });

export const countWords = (text: string): number => listWordStarts(text).length;
