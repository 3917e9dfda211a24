import type { ReactNode } from "react";
import { Calendar } from "./calendar-view.tsx";
import { Chat } from "./chat.tsx";
import { Courses } from "./courses.tsx";
import { Column, MockHead, Shell } from "./layouts.tsx";
import { RecordPage } from "./record.tsx";
import { SettingsPage } from "./settings.tsx";
import type { MockPage } from "./sidebar.tsx";

export const pages: Record<MockPage, () => ReactNode> = {
  record: RecordPage,
  home: () => <Column page="home" />,
  assistant: AssistantPage,
  courses: CoursesPage,
  notes: () => <Column page="notes" />,
  knowledge: () => <Column page="knowledge" />,
  settings: SettingsPage,
  subscription: () => <Column page="subscription" />,
  profile: () => <Column page="profile" />,
};

function AssistantPage() {
  return (
    <Shell page="assistant">
      <main id="content" className="min-h-0 min-w-0">
        <div className="mx-auto grid h-full max-w-wide grid-rows-[auto_minmax(0,1fr)] px-1 pt-8 *:max-w-reading max-book:px-0 max-sm:pt-5">
          <div className="px-5 pb-4 max-book:px-4">
            <MockHead page="assistant" />
          </div>
          <Chat />
        </div>
      </main>
    </Shell>
  );
}

function CoursesPage() {
  return (
    <Column page="courses">
      <Calendar />
      <Courses />
    </Column>
  );
}
