import { proposalMessages } from "#client/features/glossary/proposals/messages/index.ts";
import {
  LectureMenu,
  type LectureMenuProps,
} from "#client/features/recording/head/lecture-menu.tsx";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { visitor } from "#client/state/visitor.ts";
import LibraryProvider from "./library-provider.tsx";

const HomeDrop = lazyPart(() => import("./home-drop.tsx"), proposalMessages);

export default function RecordMenu(props: LectureMenuProps) {
  const lecture = useField(props.document.view, "lecture");
  const signedIn = useValue(visitor).kind === "user";
  return (
    <LibraryProvider>
      <LectureMenu {...props} />
      {signedIn ? <HomeDrop folderId={lecture?.folderId ?? null} /> : null}
    </LibraryProvider>
  );
}
