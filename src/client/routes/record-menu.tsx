import { proposalMessages } from "#client/features/glossary/proposals/messages/index.ts";
import { useT } from "#client/features/recording/dialog-messages/index.ts";
import {
  LectureMenu,
  type LectureMenuProps,
} from "#client/features/recording/head/lecture-menu.tsx";
import { droppedSlides } from "#client/features/slides/dropped-slides.ts";
import { isSlideFile } from "#client/features/slides/files/slide-file.ts";
import { slideFileMessages } from "#client/features/slides/messages/index.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { readingDialog } from "#client/reading/reading-state.ts";
import { visitor } from "#client/state/visitor.ts";
import LibraryProvider from "./library-provider.tsx";

const LectureSlides = lazyPart(
  () => import("#client/features/slides/lecture-slides.tsx"),
  slideFileMessages,
);
const HomeDrop = lazyPart(() => import("./home-drop.tsx"), proposalMessages);

/** PDF files and pictures that are dropped on a lecture are its slides; other files are not. */
function takeSlides(files: readonly File[]): boolean {
  const isTaken = files.every(isSlideFile);
  if (isTaken) {
    droppedSlides.set(files);
    readingDialog.set({ kind: "slides" });
  }
  return isTaken;
}

export default function RecordMenu(props: LectureMenuProps) {
  const lecture = useField(props.document.view, "lecture");
  const t = useT();
  const who = useValue(visitor);
  const takesSlides = lecture !== null && !props.document.isReadOnly;
  return (
    <LibraryProvider>
      <LectureMenu {...props} />
      {who.kind === "user" ? (
        <>
          <HomeDrop
            folderId={lecture?.folderId ?? null}
            {...(takesSlides && { ownFiles: { take: takeSlides, text: t("lecture.dropSlides") } })}
          />
          {props.document.isReadOnly ? null : (
            <LectureSlides document={props.document} userId={who.user.id} />
          )}
        </>
      ) : null}
    </LibraryProvider>
  );
}
