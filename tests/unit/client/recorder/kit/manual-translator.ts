/** A translator whose answers are given by hand. */
export function createTranslator() {
  const calls: {
    text: string;
    targetLanguage: string;
    context: string;
    signal: AbortSignal;
    onQueue?(isWaiting: boolean): void;
    answer: (text: string) => void;
    fail: (error: unknown) => void;
  }[] = [];
  const translate = (
    input: {
      text: string;
      targetLanguage: string;
      context: string;
      onQueue?(isWaiting: boolean): void;
    },
    signal: AbortSignal,
  ) =>
    new Promise<string>((answer, fail) => {
      calls.push({ ...input, signal, answer, fail });
    });
  return { calls, translate, texts: () => calls.map((call) => call.text) };
}
