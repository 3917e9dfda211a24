/** A translator whose answers are given by hand. */
export function createTranslator() {
  const calls: {
    text: string;
    targetLanguage: string;
    context: string;
    signal: AbortSignal;
    answer: (text: string) => void;
    fail: (error: unknown) => void;
  }[] = [];
  const translate = (
    input: { text: string; targetLanguage: string; context: string },
    signal: AbortSignal,
  ) =>
    new Promise<string>((answer, fail) => {
      calls.push({ ...input, signal, answer, fail });
    });
  return { calls, translate, texts: () => calls.map((call) => call.text) };
}
