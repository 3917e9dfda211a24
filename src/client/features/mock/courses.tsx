import { Eye } from "lucide-react";
import { useId, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { formatNumber } from "#client/lib/text.ts";
import { Button } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { useT } from "./messages/index.ts";
import { AddButton, Choice, SearchField, useSample } from "./sample.tsx";

type Course = ReturnType<typeof useSample>["courses"][number];
type CourseFilter = "all" | "recent" | "popular";

function listCourses(courses: readonly Course[], filter: CourseFilter): readonly Course[] {
  switch (filter) {
    case "all":
      return courses;
    case "recent":
      return courses
        .filter(({ addedDaysAgo }) => addedDaysAgo <= 14)
        .sort((one, other) => one.addedDaysAgo - other.addedDaysAgo);
    case "popular":
      return courses
        .filter(({ viewers }) => viewers >= 1_000)
        .sort((one, other) => other.viewers - one.viewers);
  }
}

/** The sample courses, searched by title, teacher and subject. */
export function Courses() {
  const t = useT();
  const language = useLanguage();
  const { courses } = useSample();
  const id = useId();
  const [query, setQuery] = useState("");
  const [filter, setFilter] = useState<CourseFilter>("all");
  const shown = listCourses(courses, filter).filter(({ title, teacher, subject }) =>
    `${title}\n${teacher}\n${subject}`.toLowerCase().includes(query.trim().toLowerCase()),
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
        <Choice
          label="mock.courses.filter"
          value={filter}
          values={["all", "recent", "popular"]}
          onChange={setFilter}
        />
      </div>
      {shown.length > 0 ? (
        <ul className="mt-4 grid gap-x-10 book:grid-cols-2">
          {shown.map(({ title, teacher, subject, viewers }, index) => (
            <li key={title} className="flex items-center gap-4 border-rule border-b py-4">
              <div className="grid min-w-0 flex-1 gap-0.5">
                <h3 id={`${id}${index}`} className="font-semibold text-md wrap-anywhere">
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
                describedBy={`${id}${index}`}
                label="mock.courses.enroll"
                addedLabel="mock.courses.enrolled"
              />
            </li>
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
