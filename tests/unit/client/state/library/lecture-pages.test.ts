import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyLectureChange,
  compareNewestFirst,
  findLecture,
  type LectureFilter,
  type LecturePages,
} from "#client/state/library/lecture-pages.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { folder, lecture } from "#tests/unit/client/kit/folders.ts";

const newestFirst = (a: LectureListItem, b: LectureListItem) =>
  a.createdAt === b.createdAt ? (a.id > b.id ? -1 : 1) : a.createdAt > b.createdAt ? -1 : 1;

const matchesFilter = ({ folderId }: LectureFilter, lecture: LectureListItem) =>
  folderId === undefined || lecture.folderId === folderId;

/** What a server with `lectures` answers to the first `loaded` pages of three. */
function createPages(
  lectures: readonly LectureListItem[],
  filter: LectureFilter,
  loaded: number,
): LecturePages {
  const all = lectures.filter((one) => matchesFilter(filter, one)).sort(newestFirst);
  const pages = [];
  for (let from = 0; pages.length < loaded && (from < all.length || from === 0); from += 3)
    pages.push({
      items: all.slice(from, from + 3),
      nextCursor: all.length > from + 3 ? String(from + 3) : null,
      total: null,
    });
  return { pages, pageParams: pages.map((_, index) => (index === 0 ? null : String(index * 3))) };
}

const listIds = (data: LecturePages) =>
  data.pages.flatMap(({ items }) => items.map(({ id }) => id));

const arbitraryLectures = fc
  .array(
    fc.record({
      folderId: fc.constantFrom(null, "a", "b"),
      minute: fc.nat({ max: 5 }),
      title: fc.constantFrom("Light", "Heat", "Light and heat"),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((all) =>
    all.map(({ folderId, minute, title }, index) =>
      lecture(String.fromCharCode(97 + index), folderId, { minute, title }),
    ),
  );

const arbitraryFilter: fc.Arbitrary<LectureFilter> = fc.record(
  { folderId: fc.constantFrom(null, "a", "b") },
  { requiredKeys: [] },
);

test("newer lectures and folders come first, and those of one moment by id", () => {
  const at = (day: number) => ({ createdAt: `2026-11-0${day}T08:00:00.000Z` });
  const all = [folder("a", null, at(1)), folder("c", null, at(2)), folder("b", null, at(2))];
  expect(all.toSorted(compareNewestFirst).map((one) => one.id)).toEqual(["c", "b", "a"]);
});

describe("applyLectureChange", () => {
  test("equals the server's answer for the loaded part", () => {
    fc.assert(
      fc.property(
        arbitraryLectures,
        arbitraryFilter,
        fc.nat(),
        fc.oneof(
          fc.record({ folderId: fc.constantFrom(null, "a", "b") }),
          fc.record({ title: fc.constantFrom("Light", "Heat", "Cold") }),
        ),
        fc.integer({ min: 1, max: 6 }),
        (lectures, filter, chosen, change, loaded) => {
          const before = lectures[chosen % lectures.length];
          if (!before) return;
          const after = { ...before, ...change };
          const list = createPages(lectures, filter, loaded);
          const changed = applyLectureChange(list, filter, after);
          const others = lectures.filter((one) => one !== before);
          const truth = createPages([...others, after], filter, 99);
          const shown = listIds(changed);
          // A list that is not loaded to its end may lack what stands behind its end, and nothing else.
          const open = list.pages.at(-1)?.nextCursor !== null;
          expect(listIds(truth).slice(0, shown.length)).toEqual(shown);
          if (!open) expect(shown).toEqual(listIds(truth));
          if (findLecture([changed], after.id))
            expect(findLecture([changed], after.id)).toEqual(after);
        },
      ),
    );
  });

  test("keeps the results of a search until it is repeated", () => {
    const found = createPages([lecture("a", "one", { title: "Light" })], {}, 1);
    const heat = lecture("a", "one", { title: "Heat" });
    expect(applyLectureChange(found, { title: "light" }, heat).pages[0]?.items).toEqual([heat]);
    expect(applyLectureChange(found, { title: "light" }, lecture("b"))).toBe(found);
  });
});
