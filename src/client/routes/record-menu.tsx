import { Suspense } from "react";
import { proposalMessages } from "#client/features/glossary/proposals/messages/index.ts";
import {
  LectureMenu,
  type LectureMenuProps,
} from "#client/features/recording/head/lecture-menu.tsx";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useField, useValue } from "#client/lib/signal.ts";
import { visitor } from "#client/state/visitor.ts";
import { LibraryProvider } from "./library-provider.tsx";

const TermsDrop = lazyPart(
  () => import("#client/features/glossary/proposals/terms-drop.tsx"),
  proposalMessages,
);

export default function RecordMenu(props: LectureMenuProps) {
  const lecture = useField(props.document.view, "lecture");
  const signedIn = useValue(visitor).kind === "user";
  return (
    <LibraryProvider>
      <LectureMenu {...props} />
      {signedIn ? (
        <Suspense>
          <TermsDrop folderId={lecture?.folderId ?? null} />
        </Suspense>
      ) : null}
    </LibraryProvider>
  );
}
