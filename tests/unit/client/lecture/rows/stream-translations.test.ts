import { expect, test } from "vitest";
import { StreamTranslations } from "#client/lecture/rows/stream-translations.ts";
import type { RelayTranslation } from "#shared/relay.ts";

test("is of no row that was imported without times", () => {
  const imported = { startMs: 0, endMs: 0 };
  const spoken = { startMs: 0, endMs: 3_000 };
  const translation: RelayTranslation = {
    text: "Un deux trois.",
    language: "fr",
    state: "final",
    start_ms: 0,
    end_ms: 2_900,
  };
  const rows = [imported, imported, spoken];
  expect(new StreamTranslations().findRows(translation, rows)).toEqual([spoken]);
});
