import { BookMarked, CreditCard, House, NotebookPen, UserRound } from "lucide-react";
import type { ComponentType } from "react";
import { AssistantPage } from "./chat/assistant-page.tsx";
import { CoursesPage } from "./courses/courses-page.tsx";
import { PlaceholderPage } from "./placeholder.tsx";
import { RecordPage } from "./record/record-page.tsx";
import { SettingsPage } from "./settings/settings-page.tsx";

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
