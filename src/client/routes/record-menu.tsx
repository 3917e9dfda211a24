import {
  LectureMenu,
  type LectureMenuProps,
} from "#client/features/recording/head/lecture-menu.tsx";
import { LibraryProvider } from "./library-provider.tsx";

export default function RecordMenu(props: LectureMenuProps) {
  return (
    <LibraryProvider>
      <LectureMenu {...props} />
    </LibraryProvider>
  );
}
