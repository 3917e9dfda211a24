import { CalendarView } from "../calendar/calendar-view.tsx";
import { useT } from "../messages/index.ts";
import { PageHead } from "../page-head.tsx";
import { BackToRecord } from "../placeholder.tsx";
import { Column, Shell } from "../shell/shell.tsx";
import { CourseList } from "./course-list.tsx";

export function CoursesPage() {
  const t = useT();
  return (
    <Shell title="mock.title.courses">
      <Column>
        <PageHead title={t("mock.courses.title")} text={t("mock.courses.text")}>
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
