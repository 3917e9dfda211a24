import { Check, Eye, Search } from "lucide-react";
import { useId, useState } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { sampleLanguage, useNotifySample } from "#client/features/mock/sample.ts";
import { Signal, useValue } from "#client/lib/signal.ts";
import { Button } from "#client/ui/button.tsx";
import { Segments } from "#client/ui/segments.tsx";
import { type Course, type CourseFilter, courseFilters, filterCourses } from "./courses.ts";
import { courses } from "./sample.ts";

/** The ids of the courses that were joined, until the page is reloaded. */
const enrolledCourses = new Signal<ReadonlySet<number>>(new Set());

const counts = new Intl.NumberFormat("en-US");

export function CourseList() {
  const t = useT();
  const id = useId();
  const [query, setQuery] = useState("");
  const [filter, setFilter] = useState<CourseFilter>("all");
  const shown = filterCourses(courses, { query, filter });

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
        <div className="relative max-sm:order-last max-sm:basis-full sm:w-56">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3"
          />
          <input
            type="search"
            aria-label={t("mock.courses.search")}
            placeholder={t("mock.courses.search")}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className="h-9 w-full rounded-m border border-rule-control bg-sheet pr-3 pl-9 text-ink text-sm transition-colors duration-150 ease-quiet hover:border-rule-strong pointer-coarse:h-11"
          />
        </div>
        <Segments<CourseFilter>
          label={t("mock.courses.filter")}
          value={filter}
          options={courseFilters.map((value) => ({
            value,
            label: t(`mock.courses.filter.${value}`),
          }))}
          onChange={setFilter}
        />
      </div>
      {shown.length > 0 ? (
        <ul className="mt-4 grid gap-x-10 book:grid-cols-2">
          {shown.map((course) => (
            <CourseRow key={course.id} course={course} />
          ))}
        </ul>
      ) : (
        <div className="mt-6 grid justify-items-start gap-2 rounded-l bg-paper-2 px-7 py-8">
          <h3 className="font-semibold text-lg tracking-tight">{t("mock.courses.none")}</h3>
          <p className="text-ink-2 text-md">{t("mock.courses.noneHint")}</p>
          <Button className="mt-3" onClick={showAll}>
            {t("mock.courses.showAll")}
          </Button>
        </div>
      )}
    </section>
  );
}

function CourseRow({ course: { id, title, teacher, subject, viewers } }: { course: Course }) {
  const t = useT();
  const name = useId();
  const notifySample = useNotifySample();
  const isEnrolled = useValue(enrolledCourses).has(id);

  function enroll() {
    enrolledCourses.set(new Set([...enrolledCourses.get(), id]));
    notifySample(t("mock.courses.enrolledToast"), "success");
  }

  return (
    <li className="flex items-center gap-4 border-rule border-b py-4">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <h3 id={name} lang={sampleLanguage} className="font-semibold text-md wrap-anywhere">
          {title}
        </h3>
        <p lang={sampleLanguage} className="text-ink-2 text-sm">
          {teacher} · {subject}
        </p>
        <p className="tabular flex items-center gap-1.5 text-ink-3 text-sm">
          <Eye className="size-3.5" aria-hidden="true" />
          {t("mock.courses.viewers", { count: counts.format(viewers) })}
        </p>
      </div>
      <Button size="small" disabled={isEnrolled} aria-describedby={name} onClick={enroll}>
        {isEnrolled ? <Check className="size-4 text-jade" aria-hidden="true" /> : null}
        {t(isEnrolled ? "mock.courses.enrolled" : "mock.courses.enroll")}
      </Button>
    </li>
  );
}
