import { CalendarView } from "#client/features/mock/calendar/calendar-view.tsx";
import { useT } from "#client/features/mock/messages/index.ts";
import { PageHead } from "#client/features/mock/page-head.tsx";
import { BackToRecord } from "#client/features/mock/placeholder.tsx";
import { Column, Shell } from "#client/features/mock/shell/shell.tsx";
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
