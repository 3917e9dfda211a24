import { describe, expect, it } from "vitest";
import { filterCourses } from "#client/features/mock/courses/courses.ts";
import { courses } from "#client/features/mock/courses/sample.ts";

const shown = (filter: "all" | "recent" | "popular", query = "") =>
  filterCourses(courses, { filter, query });

describe("the courses", () => {
  it("are 15, each with a unique id", () => {
    expect(shown("all")).toEqual(courses);
    expect(new Set(courses.map(({ id }) => id)).size).toBe(15);
  });

  it("sort recent ones newest first", () => {
    const recent = shown("recent");
    const dates = recent.map(({ addedOn }) => addedOn);
    expect(dates).toEqual(dates.toSorted().reverse());
    expect(recent.length).toBeGreaterThan(0);
    expect(recent.length).toBeLessThan(15);
    expect(dates.every((date) => date >= "2025-10-01")).toBe(true);
  });

  it("sort popular ones by viewers", () => {
    const viewers = shown("popular").map((course) => course.viewers);
    expect(viewers).toEqual(viewers.toSorted((one, other) => other - one));
    expect(viewers.length).toBeGreaterThan(0);
    expect(viewers.length).toBeLessThan(15);
    expect(viewers.every((count) => count >= 1000)).toBe(true);
  });

  it("are found by title, teacher or subject, ignoring case", () => {
    expect(shown("all", "线性代数").map(({ title }) => title)).toEqual(["线性代数"]);
    expect(shown("all", " PYTHON ").length).toBe(1);
    expect(shown("all", "python")).toEqual(shown("all", "Python"));
    const [first] = courses;
    expect(shown("all", first?.teacher)).toContain(first);
    expect(shown("all", "没有这门课")).toEqual([]);
  });

  it("are searched within a filter", () => {
    for (const course of shown("popular", "学")) expect(shown("popular")).toContain(course);
  });
});
