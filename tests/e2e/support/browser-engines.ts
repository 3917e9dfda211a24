import type { BrowserContext } from "@playwright/test";

/** Engines of the browser that are played by a script. An engine that is not named does not exist. */
export interface FakeEngines {
  speech?: {
    /** What is said, word by word, from the start of the first session on. */
    words: readonly string[];
    wordMs: number;
    /** The speaker pauses after so many words. */
    wordsPerSentence: number;
    /** A session ends by itself after this time. */
    sessionMs: number;
    /** When each word ends, ms from the start of the first session; otherwise they follow each other. */
    ends?: readonly number[];
    /** Every session fails with this error, from `failsAfterMs` on. */
    error?: string;
    failsAfterMs?: number;
  };
  translator?: {
    /** Time that the download of a language takes; null: it never ends. */
    downloadMs: number | null;
    fails?: boolean;
  };
  summarizer?: boolean;
}

/**
 * Replaces the browser's engines in pages of `context`. The events follow the Web Speech API, the
 * Translator API and the Summarizer API.
 */
export async function installEngines(context: BrowserContext, engines: FakeEngines): Promise<void> {
  await context.addInitScript((fakes: FakeEngines) => {
    const define = (name: string, value: unknown) =>
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    for (const name of ["SpeechRecognition", "webkitSpeechRecognition", "Translator", "Summarizer"])
      define(name, undefined);

    const { speech, translator, summarizer } = fakes;
    if (speech !== undefined) {
      const pauseMs = 4 * speech.wordMs;
      let startedAt = 0;
      /** When word `index` has been said. */
      const getEnd = (index: number) =>
        startedAt +
        (speech.ends?.[index] ??
          (index + 1) * speech.wordMs + Math.floor(index / speech.wordsPerSentence) * pauseMs);
      let spokenCount = 0;
      class Recognition {
        lang = "";
        continuous = false;
        interimResults = false;
        onstart: (() => void) | null = null;
        onresult: ((event: object) => void) | null = null;
        onerror: ((event: object) => void) | null = null;
        onend: (() => void) | null = null;
        #timer: ReturnType<typeof setInterval> | undefined;
        #results: { text: string; isFinal: boolean }[] = [];
        #utterance: string[] = [];

        start() {
          const now = performance.now();
          if (speech?.error !== undefined && speech.failsAfterMs === undefined) {
            setTimeout(() => this.onerror?.({ error: speech.error }), 20);
            setTimeout(() => this.onend?.(), 25);
            return;
          }
          if (startedAt === 0) startedAt = now;
          setTimeout(() => this.onstart?.(), 5);
          const endsAt = now + (speech?.sessionMs ?? 0);
          this.#timer = setInterval(() => this.#listen(performance.now() >= endsAt), 20);
        }
        stop() {
          this.#listen(true);
        }
        abort() {
          clearInterval(this.#timer);
        }
        #listen(isEnding: boolean) {
          if (speech === undefined) return;
          const now = performance.now();
          if (now - startedAt >= (speech.failsAfterMs ?? Number.POSITIVE_INFINITY)) {
            this.abort();
            this.onerror?.({ error: speech.error });
            this.onend?.();
            return;
          }
          let hasNews = false;
          while (spokenCount < speech.words.length && getEnd(spokenCount) <= now) {
            this.#utterance.push(speech.words[spokenCount] ?? "");
            spokenCount += 1;
            hasNews = true;
            if (spokenCount % speech.wordsPerSentence === 0) this.#finish();
          }
          if (isEnding && this.#utterance.length > 0) this.#finish();
          else if (hasNews) this.#send();
          if (!isEnding) return;
          this.abort();
          this.onend?.();
        }
        #finish() {
          this.#results.push({ text: this.#utterance.join(" "), isFinal: true });
          this.#utterance = [];
          this.#send();
        }
        #send() {
          const interim = { text: this.#utterance.join(" "), isFinal: false };
          const results = this.#utterance.length > 0 ? [...this.#results, interim] : this.#results;
          this.onresult?.({
            results: results.map(({ text, isFinal }) => ({
              isFinal,
              0: { transcript: text, confidence: 0.9 },
            })),
          });
        }
      }
      define("SpeechRecognition", Recognition);
    }

    if (translator !== undefined) {
      const downloaded = new Set<string>();
      define("Translator", {
        availability: async ({ targetLanguage }: { targetLanguage: string }) =>
          downloaded.has(targetLanguage) ? "available" : "downloadable",
        async create(options: { targetLanguage: string; monitor(target: EventTarget): void }) {
          const { targetLanguage } = options;
          const target = new EventTarget();
          options.monitor(target);
          const { downloadMs } = translator;
          if (downloadMs === null) await new Promise(() => {});
          for (const loaded of [0, 0.25, 0.5, 0.75, 1]) {
            target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded }));
            await new Promise((resolve) => setTimeout(resolve, (downloadMs ?? 0) / 5));
            if (translator.fails) throw new DOMException("no network", "NetworkError");
          }
          downloaded.add(targetLanguage);
          return { translate: async (text: string) => `${targetLanguage}(${text})` };
        },
      });
    }

    if (summarizer)
      define("Summarizer", {
        availability: async ({ outputLanguage }: { outputLanguage: string }) =>
          ["en", "es", "ja"].includes(outputLanguage) ? "available" : "unavailable",
        create: async () => ({
          inputQuota: 1_000,
          measureInputUsage: async (text: string) => text.length / 4,
          summarize: async (text: string) => `- ${text.split(" ").length} words`,
          destroy: () => {},
        }),
      });
  }, engines);
}
