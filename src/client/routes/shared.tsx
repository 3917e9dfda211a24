import { getRouteApi } from "@tanstack/react-router";
import { togetherMessages } from "#client/features/together/messages/index.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { LibraryContent, LibraryPage, LibraryProvider } from "./library-page.tsx";

const SharedList = lazyPage(
  () => import("#client/features/together/shared-list.tsx"),
  togetherMessages,
);
const SharedLecture = lazyPage(async () => {
  // The list does without it.
  const { readingDialogMessages } = await import("#client/reading/dialog-messages/index.ts");
  const [page] = await Promise.all([import("./shared-lecture.tsx"), readingDialogMessages.load()]);
  return page;
}, togetherMessages);
export const parts = [LibraryProvider];

const route = getRouteApi("/shared");

/** What others share with the person: the list, and one of the lectures. */
export default function SharedRoute() {
  const { lecture } = route.useSearch();
  if (lecture)
    return (
      <div className="grid h-dvh grid-cols-[minmax(0,1fr)] overflow-hidden">
        <LibraryContent fallback={null}>
          <SharedLecture key={lecture} id={lecture} />
        </LibraryContent>
      </div>
    );
  return (
    <LibraryPage measure="wide">
      <LibraryContent>
        <SharedList />
      </LibraryContent>
    </LibraryPage>
  );
}
