import {
  BookMarked,
  CreditCard,
  House,
  type LucideIcon,
  NotebookPen,
  UserRound,
} from "lucide-react";
import type { ComponentType } from "react";
import { getButtonClass } from "#client/ui/button.tsx";
import { CalendarView } from "./calendar/calendar-view.tsx";
import { ChatView } from "./chat/chat-view.tsx";
import { CourseList } from "./courses/course-list.tsx";
import { useT } from "./messages/index.ts";
import { BackToRecord, PageHead } from "./page-head.tsx";
import { RecordPage } from "./record/record-page.tsx";
import { SettingsPage } from "./settings-page.tsx";
import { Column, Shell } from "./shell/shell.tsx";

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
        <div className="mx-auto grid h-full max-w-180 grid-rows-[auto_minmax(0,1fr)] px-1 pt-8 max-sm:px-0 max-sm:pt-5">
          <div className="px-5 pb-4 max-sm:px-4.5">
            <PageHead name="assistant" />
          </div>
          <ChatView />
        </div>
      </main>
    </Shell>
  );
}

function CoursesPage() {
  return (
    <Shell title="mock.title.courses">
      <Column>
        <PageHead name="courses" />
        <div className="mt-8">
          <CalendarView />
        </div>
        <CourseList />
      </Column>
    </Shell>
  );
}

interface PlaceholderPageProps {
  name: "home" | "notes" | "knowledge" | "subscription" | "profile";
  Icon: LucideIcon;
}

/** A page that says what will be on it. */
function PlaceholderPage({ name, Icon }: PlaceholderPageProps) {
  const t = useT();
  return (
    <Shell title={`mock.title.${name}`}>
      <Column>
        <div className="mt-[12dvh] grid justify-items-center gap-3 text-center">
          <span
            aria-hidden="true"
            className="mb-3 grid size-14 place-items-center rounded-full bg-jade-wash text-jade"
          >
            <Icon className="size-6" />
          </span>
          <h1 className="font-semibold text-2xl tracking-tight">{t(`mock.${name}.title`)}</h1>
          <p className="max-w-[44ch] text-balance text-ink-2 text-md">{t(`mock.${name}.text`)}</p>
          <BackToRecord className={`${getButtonClass()} mt-4`} />
        </div>
      </Column>
    </Shell>
  );
}
