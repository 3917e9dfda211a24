import { Plus } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useSearchFocusRequest } from "#client/lib/focus.ts";
import { SignInOffer } from "#client/ui/sign-in-offer.tsx";
import { LibraryPanel, type LibraryPanelProps } from "./library-panel.tsx";
import { useT } from "./messages/index.ts";
import { SidebarHead } from "./sidebar-head.tsx";

interface LibrarySidebarProps extends LibraryPanelProps {
  signedIn: boolean;
  /** Above the lectures. */
  header: ReactNode;
}

/** The lectures, over the left part of the page. */
export function LibrarySidebar({ signedIn, header, ...panel }: LibrarySidebarProps) {
  const { onClose } = panel;
  const t = useT();
  const aside = useRef<HTMLElement>(null);
  useRestoreFocus(aside);
  useEffect(() => aside.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        onClick={onClose}
        className="fixed inset-0 z-3 bg-veil"
      />
      <aside
        ref={aside}
        tabIndex={-1}
        aria-label={t("sidebar.title")}
        onKeyDown={(event) => {
          if (event.key === "Escape" && !event.defaultPrevented) onClose();
        }}
        className="fixed inset-y-0 left-0 z-4 flex min-h-0 w-[min(22rem,calc(100vw-2.5rem))] flex-col border-rule border-r bg-paper-2 px-2 pt-2.5 shadow-sheet outline-none"
      >
        {header}
        {signedIn ? (
          <LibraryPanel {...panel} />
        ) : (
          <>
            <SidebarHead onClose={onClose} />
            <GuestSidebar onNew={panel.onNew} />
          </>
        )}
      </aside>
    </>
  );
}

/** When `element` unmounts with the focus in it, restores the focus from before it was mounted. */
function useRestoreFocus(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      const inside = element.current?.contains(document.activeElement) ?? false;
      if (inside && before instanceof HTMLElement) before.focus();
    };
  }, [element]);
}

function GuestSidebar({ onNew }: { onNew: () => void }) {
  const t = useT();
  const first = useRef<HTMLButtonElement>(null);
  useSearchFocusRequest(first);
  return (
    <>
      <button
        ref={first}
        type="button"
        onClick={onNew}
        className="touch-target mb-1 flex items-center gap-2 rounded-s px-2.5 py-1.5 text-ink-2 text-sm transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
      >
        <Plus className="size-4" />
        {t("sidebar.newLecture")}
      </button>
      <SignInOffer className="px-2.5 py-2">
        <p className="text-ink-3 text-sm">{t("sidebar.guest")}</p>
      </SignInOffer>
    </>
  );
}
