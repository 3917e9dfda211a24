export interface Course {
  id: number;
  title: string;
  teacher: string;
  subject: string;
  viewers: number;
  /** When it was published, as `yyyy-mm-dd`. */
  addedOn: string;
}

export type CourseFilter = "all" | "recent" | "popular";

export const courseFilters = ["all", "recent", "popular"] as const satisfies CourseFilter[];

/** Courses published since this day are recent. */
const recentSince = "2025-10-01";
const popularFrom = 1_000;

/**
 * The courses that match `filter` and whose title, teacher or subject contains `query`, ignoring case.
 * Recent ones are sorted newest first, popular ones by their viewers.
 */
export function filterCourses(
  courses: readonly Course[],
  { query, filter }: { query: string; filter: CourseFilter },
): Course[] {
  const wanted = query.trim().toLowerCase();
  return applyFilter(courses, filter).filter(({ title, teacher, subject }) =>
    [title, teacher, subject].some((text) => text.toLowerCase().includes(wanted)),
  );
}

function applyFilter(courses: readonly Course[], filter: CourseFilter): Course[] {
  switch (filter) {
    case "all":
      return [...courses];
    case "recent":
      return courses
        .filter(({ addedOn }) => addedOn >= recentSince)
        .sort((one, other) => other.addedOn.localeCompare(one.addedOn));
    case "popular":
      return courses
        .filter(({ viewers }) => viewers >= popularFrom)
        .sort((one, other) => other.viewers - one.viewers);
    default:
      return filter satisfies never;
  }
}
