import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { GuestHome } from "#client/features/library/guest-home.tsx";
import { Header } from "#client/features/shell/header.tsx";
import { libraryMessages, useT } from "#client/i18n/library/index.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useValue } from "#client/lib/signal.ts";
import { visitor } from "#client/state/visitor.ts";
import { CardListSkeleton } from "#client/ui/lists/card-skeleton.tsx";

export const LibraryProvider = lazyPage(
  async () => ({ default: (await import("./library-provider.tsx")).LibraryProvider }),
  libraryMessages,
);

interface LibraryPageProps {
  /** A class for the width of the content; `full`: the content fills the window and scrolls by itself. */
  width: string;
  children: ReactNode;
}

/** A page of a user's library. A guest sees how to get one. */
export function LibraryPage({ width, children }: LibraryPageProps) {
  const t = useT();
  const navigate = useNavigate();
  const { kind } = useValue(visitor);
  if (kind === "anonymous" || kind === "unknown") return null;
  const trashEntry = {
    key: "trash",
    icon: Trash2,
    label: t("trash.title"),
    run: () => void navigate({ to: "/trash" }),
  };
  const fills = width === "full" && kind === "user";
  const page = (
    <>
      <Header menu={kind === "user" ? [trashEntry] : []} />
      <main
        id="content"
        className={
          fills
            ? "grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]"
            : `mx-auto px-6 pt-11 pb-20 max-sm:px-4.5 max-sm:pt-7 ${width}`
        }
      >
        {kind === "guest" ? <GuestHome /> : children}
      </main>
    </>
  );
  return fills ? (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] overflow-hidden">
      {page}
    </div>
  ) : (
    // print.css hides what is beside the printed page, so it has no box around it.
    page
  );
}

/** The part of a library page that needs the library's data. */
export function LibraryContent({
  fallback = <CardListSkeleton />,
  children,
}: {
  fallback?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Suspense fallback={fallback}>
      <LibraryProvider>{children}</LibraryProvider>
    </Suspense>
  );
}
