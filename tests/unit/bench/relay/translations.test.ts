import { describe, expect, it } from "vitest";
import { EchoTranslations } from "#bench/relay/translations.ts";
import type { RelayTranslation } from "#shared/relay.ts";

/** The translation of the words from `from` to `to`, `to` exclusive. */
function translate(from: number, to: number): RelayTranslation {
  const words = Array.from({ length: to - from }, (_, at) => `fr:word${from + at}`);
  const times = { start_ms: from * 256, end_ms: to * 256 };
  return { ...times, text: `${words.join(" ")}.`, language: "fr", state: "final" };
}

/** All translations of 27 words. */
const all = [translate(0, 12), translate(12, 24), translate(24, 27)];

function receive(translations: readonly RelayTranslation[]): EchoTranslations {
  const received = new EchoTranslations();
  for (const one of translations) received.receive({ translations: [one] });
  return received;
}

const missing = "1 of 3 sentences have no translation, or another's";

describe("EchoTranslations", () => {
  it("accepts a recording whose sentences are all translated", () => {
    const interim = { ...translate(0, 3), state: "interim" as const };
    const received = receive([interim, ...all]);
    received.receive({});
    expect(received.findFault(27)).toBeNull();
    expect(received.countSentences()).toBe(3);
  });

  it.each([0, 1, 2])("finds that the translation of sentence %i is missing", (dropped) => {
    expect(receive(all.toSpliced(dropped, 1)).findFault(27)).toBe(missing);
  });

  it.each(["interim", "doubtful"] as const)("accepts no translation that is %s", (state) => {
    expect(receive(all.with(1, { ...translate(12, 24), state })).findFault(27)).toBe(missing);
  });

  it("accepts no translation in another language, or without a word of its sentence", () => {
    expect(receive(all.with(1, { ...translate(12, 24), language: "de" })).findFault(27)).toBe(
      missing,
    );
    expect(receive(all.with(1, translate(12, 23))).findFault(27)).toBe(missing);
    expect(receive(all.with(1, translate(12, 25))).findFault(27)).toBe(missing);
  });

  it("finds a translation of no sentence", () => {
    const more = { ...translate(27, 28), text: "" };
    expect(receive([...all, more]).findFault(27)).toBe("there are translations of no sentence");
  });
});
