import { BookMarked, CreditCard, House, NotebookPen, UserRound } from "lucide-react";
import type { ComponentType } from "react";
import { Calendar } from "./calendar-view.tsx";
import { Chat } from "./chat.tsx";
import { Courses } from "./courses.tsx";
import { Column, PageHead, PlaceholderPage, Shell } from "./layouts.tsx";
import { RecordPage } from "./record.tsx";
import { SettingsPage } from "./settings.tsx";

export const pages = {
  record: RecordPage,
  home: () => <PlaceholderPage name="home" Icon={House} />,
  assistant: AssistantPage,
  courses: CoursesPage,
  notes: () => <PlaceholderPage name="notes" Icon={NotebookPen} />,
  knowledge: () => <PlaceholderPage name="knowledge" Icon={BookMarked} />,
  settings: SettingsPage,
  subscription: () => <PlaceholderPage name="subscription" Icon={CreditCard} />,
  profile: () => <PlaceholderPage name="profile" Icon={UserRound} />,
} satisfies Record<string, ComponentType>;

export type MockPage = keyof typeof pages;

function AssistantPage() {
  return (
    <Shell title="mock.title.assistant">
      <main id="content" className="min-h-0 min-w-0">
        <div className="mx-auto grid h-full max-w-wide grid-rows-[auto_minmax(0,1fr)] px-1 pt-8 *:max-w-reading max-book:px-0 max-sm:pt-5">
          <div className="px-5 pb-4 max-book:px-4">
            <PageHead name="assistant" />
          </div>
          <Chat />
        </div>
      </main>
    </Shell>
  );
}

function CoursesPage() {
  return (
    <Column title="mock.title.courses">
      <PageHead name="courses" />
      <div className="mt-8">
        <Calendar />
      </div>
      <Courses />
    </Column>
  );
}
