import type { ReactNode } from "react";
import { GuestHome } from "#client/features/library/guest-home.tsx";
import { Header } from "#client/features/shell/header.tsx";
import { useValue } from "#client/lib/signal.ts";
import { visitor } from "#client/state/auth.ts";
import { LibraryProvider } from "./library-provider.tsx";
import { useLibraryMenu } from "./use-trash-menu-entry.tsx";

/** A page of a user's library. A guest sees how to get one. */
export function LibraryPage({ width, children }: { width: string; children: ReactNode }) {
  const { kind } = useValue(visitor);
  const menu = useLibraryMenu(kind === "user");
  if (kind === "anonymous" || kind === "unknown") return null;
  return (
    <LibraryProvider>
      <Header menu={menu} />
      <main id="content" className={`mx-auto px-6 pt-11 pb-20 max-sm:px-4.5 max-sm:pt-7 ${width}`}>
        {kind === "guest" ? <GuestHome /> : children}
      </main>
    </LibraryProvider>
  );
}
