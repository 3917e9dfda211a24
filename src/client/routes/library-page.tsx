import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { type ComponentProps, type ReactNode, Suspense } from "react";
import { GuestHome } from "#client/features/library/guest-home.tsx";
import { Header } from "#client/features/shell/header.tsx";
import { libraryMessages, useT } from "#client/i18n/library/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { visitor } from "#client/state/visitor.ts";
import { CardListSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { PageMain } from "#client/ui/page.tsx";

export const LibraryProvider = lazyPage(() => import("./library-provider.tsx"), libraryMessages);

interface LibraryPageProps
  extends Pick<ComponentProps<typeof Header>, "search">,
    Pick<ComponentProps<typeof PageMain>, "measure"> {
  children: ReactNode;
}

/** The header, with the trash in a user's menu. */
export function LibraryHeader({ search }: Pick<ComponentProps<typeof Header>, "search">) {
  const t = useT();
  const navigate = useNavigate();
  const trashEntry = {
    key: "trash",
    icon: Trash2,
    label: t("trash.title"),
    run: () => void navigate({ to: "/trash" }),
  };
  const menu = useValue(visitor).kind === "user" ? [trashEntry] : [];
  return <Header search={search} menu={menu} />;
}

/** A page of a user's library. A guest sees how to get one. */
export function LibraryPage({ measure, search, children }: LibraryPageProps) {
  const { kind } = useValue(visitor);
  if (kind === "anonymous" || kind === "unknown") return null;
  return (
    // print.css hides what is beside the printed page, so it has no box around it.
    <>
      <LibraryHeader search={kind === "user" ? search : undefined} />
      <PageMain measure={measure}>{kind === "guest" ? <GuestHome /> : children}</PageMain>
    </>
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
