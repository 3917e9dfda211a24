import { CalendarView } from "../calendar/calendar-view.tsx";
import { PageHead } from "../page-head.tsx";
import { BackToRecord } from "../placeholder.tsx";
import { Column, Shell } from "../shell/shell.tsx";
import { useWords } from "../words.ts";
import { CourseList } from "./course-list.tsx";

/** When the sample lessons are, and which courses there are. */
export function CoursesPage() {
  const t = useWords();
  return (
    <Shell title="title.courses">
      <Column>
        <PageHead title={t("courses.title")} text={t("courses.text")}>
          <BackToRecord size="small" />
        </PageHead>
        <div className="mt-8">
          <CalendarView />
        </div>
        <CourseList />
      </Column>
    </Shell>
  );
}
