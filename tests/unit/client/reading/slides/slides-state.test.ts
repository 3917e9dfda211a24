import { afterEach, expect, it } from "vitest";
import {
  hideSlides,
  rowSlides,
  type ShownSlide,
  shownSlides,
  showSlides,
} from "#client/reading/slides/slides-state.ts";

afterEach(hideSlides);

const rows = ["a", "b", "c"].map((id, at) => ({
  id,
  startMs: at * 1_000,
  endMs: at * 1_000 + 900,
}));
const createSlide = (id: string, change: Partial<ShownSlide>): ShownSlide => ({
  id,
  rowId: null,
  atMs: null,
  page: null,
  fileName: null,
  text: "",
  width: 1,
  height: 1,
  full: "",
  thumbnail: "",
  ...change,
});
const listPlaces = () =>
  Object.fromEntries(
    [...rowSlides.get()].map(([row, slides]) => [row, slides.map(({ id }) => id)]),
  );

it("shows a slide at its row, a still whose row is gone by its time, and a page that nobody has placed in no row", () => {
  showSlides(
    [
      createSlide("unplaced", { page: 4 }),
      createSlide("second", { rowId: "b", page: 2 }),
      createSlide("first", { rowId: "b", page: 1 }),
      createSlide("still", { rowId: "gone", atMs: 2_500 }),
      createSlide("early", { atMs: 0 }),
    ],
    rows,
  );
  expect(listPlaces()).toEqual({ a: ["early"], b: ["first", "second"], c: ["still"] });
  expect(shownSlides.get().map(({ id }) => id)).toEqual([
    "early",
    "first",
    "second",
    "still",
    "unplaced",
  ]);
});

it("leaves rows as they are when others get slides", () => {
  const first = createSlide("first", { rowId: "a" });
  showSlides([first], rows);
  const before = rowSlides.get();
  showSlides([first], [...rows, { id: "d", startMs: 9_000, endMs: 9_900 }]);
  expect(rowSlides.get()).toBe(before);
  showSlides([first, createSlide("second", { rowId: "c" })], rows);
  expect(rowSlides.get().get("a")).toBe(before.get("a"));
  expect(listPlaces()).toEqual({ a: ["first"], c: ["second"] });
});
