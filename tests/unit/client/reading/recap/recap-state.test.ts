import { expect, test } from "vitest";
import {
  formatRecap,
  type RecapEvent,
  type RecapView,
  startView,
  updateView,
} from "#client/reading/recap/recap-state.ts";
import { noteMaxLength } from "#shared/limits.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";

const asked = { range: { kind: "minutes", minutes: 5 }, language: "zh-cn" } as const;
const cited = {
  lectureId: "",
  title: "",
  position: 3,
  startMs: 65_000,
  original: "One.",
  spokenIn: "en" as const,
  translated: "",
  translatedInto: null,
};
const begin: RecapEvent = { kind: "begin", rows: [cited], quote: "" };
const text = (words: string): RecapEvent => ({ kind: "text", text: words });
const run = (
  events: readonly RecapEvent[],
  view: RecapView = startView({ ...asked, last: createRow() }),
) => events.reduce(updateView, view);

test("nothing is written of a time in which nothing was said", () => {
  expect(startView({ ...asked, last: null }).phase).toEqual({ kind: "done" });
});

test("statements grow until they are checked", () => {
  const view = run([
    { kind: "progress", done: 1, total: 2 },
    begin,
    text("Light "),
    text("bends."),
  ]);
  expect(view.phase).toEqual({ kind: "writing", progress: { done: 1, total: 2 } });
  expect(view.statements).toMatchObject([{ text: "Light bends.", isChecked: false }]);
  expect(run([{ kind: "end" }, { kind: "finish" }], view)).toMatchObject({
    phase: { kind: "done" },
    statements: [{ text: "Light bends.", isChecked: true }],
  });
  expect(run([{ kind: "drop" }, { kind: "finish" }], view).statements).toEqual([]);
});

test("is text for a note, in whole lines", () => {
  const line = (words: string) => ({ text: words, rows: [cited], quote: "", isChecked: true });
  expect(formatRecap("Up to 2:00", [line("Light bends."), line("It bends back.")])).toBe(
    "Up to 2:00\n• Light bends. (1:05)\n• It bends back. (1:05)",
  );
  const long = formatRecap("T", [line("a"), line("b".repeat(noteMaxLength))]);
  expect(long).toBe("T\n• a (1:05)");
});
