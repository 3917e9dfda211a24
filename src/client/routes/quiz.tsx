import { getRouteApi } from "@tanstack/react-router";
import { quizMessages } from "#client/features/quiz/messages/index.ts";
import { getFolderFilter } from "#client/lib/home-search.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { LibraryContent, LibraryPage, LibraryProvider } from "./library-page.tsx";

const QuizPage = lazyPage(() => import("#client/features/quiz/quiz-page.tsx"), quizMessages);
export const parts = [LibraryProvider, QuizPage];

const route = getRouteApi("/quiz");

export default function QuizRoute() {
  const search = route.useSearch();
  return (
    <LibraryPage measure="question">
      <LibraryContent>
        <QuizPage lectureId={search.lecture ?? null} folderId={getFolderFilter(search) ?? null} />
      </LibraryContent>
    </LibraryPage>
  );
}
