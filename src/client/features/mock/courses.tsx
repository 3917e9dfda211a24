import { Eye } from "lucide-react";
import { useId, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { formatNumber } from "#client/lib/numbers.ts";
import { Button } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { Segments } from "#client/ui/segments.tsx";
import { useT } from "./messages/index.ts";
import { AddButton, type Sample, SearchField, useSample } from "./sample.tsx";

type Course = Sample["courses"][number];
const filters = ["all", "recent", "popular"] as const;
type CourseFilter = (typeof filters)[number];

const recentMaxDays = 14;
const popularFrom = 1_000;

function listCourses(courses: readonly Course[], filter: CourseFilter): readonly Course[] {
  switch (filter) {
    case "all":
      return courses;
    case "recent":
      return courses
        .filter(({ addedDaysAgo }) => addedDaysAgo <= recentMaxDays)
        .sort((one, other) => one.addedDaysAgo - other.addedDaysAgo);
    case "popular":
      return courses
        .filter(({ viewers }) => viewers >= popularFrom)
        .sort((one, other) => other.viewers - one.viewers);
  }
}

/** The sample courses, searched by title, teacher and subject. */
export function Courses() {
  const t = useT();
  const { courses } = useSample();
  const id = useId();
  const [query, setQuery] = useState("");
  const [filter, setFilter] = useState<CourseFilter>("all");
  const wanted = query.trim().toLowerCase();
  const shown = listCourses(courses, filter).filter(({ title, teacher, subject }) =>
    [title, teacher, subject].some((text) => text.toLowerCase().includes(wanted)),
  );

  function showAll() {
    setQuery("");
    setFilter("all");
  }

  return (
    <section aria-labelledby={id} className="mt-12 border-rule border-t pt-8">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h2 id={id} className="font-semibold text-xl tracking-tight">
          {t("mock.courses.list")}
        </h2>
        <span role="status" className="tabular mr-auto text-ink-3 text-sm">
          {t("mock.courses.count", { count: shown.length })}
        </span>
        <div className="max-sm:order-last max-sm:basis-full sm:w-56">
          <SearchField label={t("mock.courses.search")} value={query} onChange={setQuery} />
        </div>
        <Segments<CourseFilter>
          label={t("mock.courses.filter")}
          value={filter}
          options={filters.map((value) => ({ value, label: t(`mock.courses.filter.${value}`) }))}
          onChange={setFilter}
        />
      </div>
      {shown.length > 0 ? (
        <ul className="mt-4 grid gap-x-10 book:grid-cols-2">
          {shown.map((course) => (
            <CourseRow key={course.title} {...course} />
          ))}
        </ul>
      ) : (
        <Placeholder title={t("mock.courses.none")} text={t("mock.courses.noneHint")}>
          <Button onClick={showAll}>{t("mock.courses.showAll")}</Button>
        </Placeholder>
      )}
    </section>
  );
}

function CourseRow({ title, teacher, subject, viewers }: Course) {
  const t = useT();
  const language = useLanguage();
  const name = useId();
  return (
    <li className="flex items-center gap-4 border-rule border-b py-4">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <h3 id={name} className="font-semibold text-md wrap-anywhere">
          {title}
        </h3>
        <p className="text-ink-2 text-sm">
          {teacher} · {subject}
        </p>
        <p className="tabular flex items-center gap-1.5 text-ink-3 text-sm">
          <Eye className="size-3.5" />
          {t("mock.courses.viewers", { count: formatNumber(viewers, language) })}
        </p>
      </div>
      <AddButton
        id={title}
        describedBy={name}
        label="mock.courses.enroll"
        addedLabel="mock.courses.enrolled"
        toastTitle="mock.courses.enrolledToast"
      />
    </li>
  );
}
