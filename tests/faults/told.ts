import type { BrowserContext } from "@playwright/test";
import { type MessageKey, messages } from "#tests/e2e/support/interface.ts";

/** What a page can tell a person of a fault. Texts with plural forms are known by their titles. */
const toldKeys = [
  ...(["record.reconnecting", "record.waiting", "record.providerBusy"] as const),
  ...([
    "record.noWords",
    "record.noWordsYet",
    "record.microphoneMuted",
    "record.storageFull",
  ] as const),
  ...(["record.memoryFull", "offline.now", "offline.recording"] as const),
  ...(["record.save.unsaved", "record.save.retrying", "record.save.local"] as const),
  "record.save.device",
  ...(["record.behind", "record.loadingModel"] as const),
  ...(["notice.microphoneLost", "notice.microphoneReplaced"] as const),
  ...(["notice.soundMissing", "notice.soundRecovered"] as const),
  ...(["notice.storageFull", "notice.soundNotKept", "notice.soundUnreadable"] as const),
  ...(["notice.recordingTakenOver", "notice.saveFailed"] as const),
  ...(["provider.title", "provider.error", "problem.unreachable"] as const),
  ...(["problem.refused", "problem.stalled"] as const),
  ...(["problem.kept", "bar.version", "bar.offlineRecording"] as const),
  ...(["auth.sessionExpired", "gap.notDelivered", "gap.disconnected"] as const),
] satisfies readonly MessageKey[];

export type ToldKey = (typeof toldKeys)[number];

/** A pattern of the text before its plural forms, with any words in place of its values. */
const toPattern = (text: string) =>
  text
    .replace(/ ?\{\w+, plural.*$/, "")
    .replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replaceAll(/\{\w+\}/g, "\\S+");

/** The longest first: one text may be a part of another. */
const patterns = toldKeys
  .map((key) => ({ key, pattern: toPattern(messages.en[key]) }))
  .toSorted((a, b) => b.pattern.length - a.pattern.length);

/** What pages have told the person since the last `clear`. */
export class Told {
  /** The text that was shown first, by its key. */
  readonly #texts = new Map<ToldKey, string>();

  /** Reads the pages of `context` that are opened from now on. */
  async watch(context: BrowserContext): Promise<void> {
    await context.exposeBinding("tell", (_, key: ToldKey, text: string) => {
      if (!this.#texts.has(key)) this.#texts.set(key, text);
    });
    await context.addInitScript((known) => {
      const look = () => {
        let text = document.body?.innerText ?? "";
        for (const { key, pattern } of known) {
          const found = new RegExp(pattern).exec(text)?.[0];
          if (found === undefined) continue;
          text = text.replaceAll(found, "");
          void Reflect.get(window, "tell")(key, found);
        }
      };
      setInterval(look, 200);
    }, patterns);
  }

  clear(): void {
    this.#texts.clear();
  }

  has(keys: readonly ToldKey[]): boolean {
    return keys.some((key) => this.#texts.has(key));
  }

  get texts(): string[] {
    return [...this.#texts.values()];
  }
}
