import { proposalMessages } from "#client/features/glossary/proposals/messages/index.ts";
import {
  LectureMenu,
  type LectureMenuProps,
} from "#client/features/recording/head/lecture-menu.tsx";
import { slideFileMessages } from "#client/features/slides/messages/index.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { visitor } from "#client/state/visitor.ts";
import LibraryProvider from "./library-provider.tsx";

const LectureSlides = lazyPart(
  () => import("#client/features/slides/lecture-slides.tsx"),
  slideFileMessages,
);
const HomeDrop = lazyPart(() => import("./home-drop.tsx"), proposalMessages);

export default function RecordMenu(props: LectureMenuProps) {
  const lecture = useField(props.document.view, "lecture");
  const who = useValue(visitor);
  return (
    <LibraryProvider>
      <LectureMenu {...props} />
      {who.kind === "user" ? (
        <>
          <HomeDrop folderId={lecture?.folderId ?? null} />
          {props.document.isReadOnly ? null : (
            <LectureSlides document={props.document} userId={who.user.id} />
          )}
        </>
      ) : null}
    </LibraryProvider>
  );
}
