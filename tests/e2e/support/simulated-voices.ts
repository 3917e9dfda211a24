import type { Page } from "@playwright/test";

/**
 * Gives the pages that `page` opens next simulated voices, which are called so: headless browsers have none. Nothing is
 * heard. A sentence is spoken until `endSentence`.
 */
export async function installSimulatedVoices(page: Page, tags: readonly string[]): Promise<void> {
  await page.addInitScript((languages: readonly string[]) => {
    class Utterance extends EventTarget {
      voice = null;
      lang = "";
      rate = 1;
      volume = 1;
      onstart: (() => void) | null = null;
      onend: (() => void) | null = null;
      onerror: ((event: { error: string }) => void) | null = null;
      constructor(readonly text: string) {
        super();
      }
    }
    const spoken: string[] = [];
    let current: Utterance | null = null;
    const synthesis = {
      speaking: false,
      getVoices: () =>
        languages.map((lang) => ({
          voiceURI: `simulated:${lang}`,
          name: `Simulated voice ${lang}`,
          lang,
          localService: true,
          default: false,
        })),
      addEventListener() {},
      removeEventListener() {},
      resume() {},
      speak(utterance: Utterance) {
        // What only asks whether the page may speak.
        if (utterance.volume === 0) return;
        current = utterance;
        spoken.push(`${utterance.lang}: ${utterance.text}`);
        setTimeout(() => utterance.onstart?.());
      },
      cancel() {
        const cut = current;
        current = null;
        setTimeout(() => cut?.onerror?.({ error: "interrupted" }));
      },
    };
    const define = (name: string, value: unknown) =>
      Object.defineProperty(window, name, { value, configurable: true });
    define("SpeechSynthesisUtterance", Utterance);
    define("speechSynthesis", synthesis);
    define("simulatedVoices", {
      spoken,
      end: () => {
        const ended = current;
        current = null;
        ended?.onend?.();
      },
    });
  }, tags);
}

interface SimulatedWindow {
  simulatedVoices: { spoken: string[]; end: () => void };
}

/** What the voices were given, each with its voice's language. */
export const listSpoken = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as SimulatedWindow).simulatedVoices.spoken);

/** The sentence that is spoken comes to its end. */
export const endSentence = (page: Page): Promise<void> =>
  page.evaluate(() => (window as unknown as SimulatedWindow).simulatedVoices.end());
