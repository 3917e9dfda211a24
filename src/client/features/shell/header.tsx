import { Link, useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useT } from "#client/i18n/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { recordingStatus } from "#client/state/recording.ts";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";
import { Seal } from "#client/ui/seal.tsx";
import { AccountMenu } from "./account-menu.tsx";

const linkClass =
  "touch-target inline-flex h-9 items-center justify-center rounded-s px-3 text-base text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink aria-[current]:font-semibold aria-[current]:text-ink max-sm:px-2.5";

interface HeaderProps {
  /** The field that searches the lectures; on a phone in a row of its own. */
  search?: ReactNode;
  actions?: ReactNode;
  menu?: readonly MenuEntry[];
}

/** The site's head: the lectures, the questions and the account. */
export function Header({ search, actions, menu }: HeaderProps) {
  const t = useT();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isAsk = path === "/ask";
  // Every other page is one of the library.
  const isLibrary = !["/ask", "/record", "/profile"].includes(path);
  return (
    <header className="page-frame relative flex shrink-0 items-center gap-x-2 gap-y-1 py-2 max-sm:flex-wrap max-sm:gap-x-1 max-sm:py-1">
      <a
        href="#content"
        className="sr-only rounded-s bg-ink px-3 py-1.5 text-paper focus:not-sr-only focus:absolute focus:left-3 focus:z-3"
      >
        {t("common.skip")}
      </a>
      <Link
        to="/"
        className="touch-target mr-3 flex h-10 shrink-0 items-center gap-2.5 max-sm:mr-auto"
        aria-label={t("nav.brand")}
      >
        <Seal />
        <b className="font-semibold text-lg leading-none tracking-tight max-sm:hidden">
          {t("brand.name")}
        </b>
      </Link>
      <nav aria-label={t("nav.label")} className="flex shrink-0 gap-0.5">
        <Link
          to="/"
          aria-current={isLibrary || undefined}
          className={linkClass}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {t("nav.lectures")}
        </Link>
        <Link to="/ask" aria-current={isAsk || undefined} className={linkClass}>
          {t("nav.ask")}
        </Link>
      </nav>
      {search ? (
        <div className="ml-auto w-104 min-w-0 max-sm:order-1 max-sm:w-full">{search}</div>
      ) : null}
      <div className={`flex items-center gap-1.5 max-sm:gap-0.5 ${search ? "" : "sm:ml-auto"}`}>
        <RecordingPill />
        {actions}
        <AccountMenu isHere={path === "/profile"} {...(menu && { entries: menu })} />
      </div>
    </header>
  );
}

/** The main pages. */
export function HeaderLinks() {
  const t = useT();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <nav aria-label={t("nav.label")} className="flex gap-1">
      <Link
        to="/"
        // Every other page is one of the library.
        aria-current={(path !== "/record" && path !== "/profile") || undefined}
        className={linkClass}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        {t("nav.home")}
      </Link>
      <Link to="/record" className={linkClass} activeOptions={{ includeSearch: false }}>
        {t("nav.recordings")}
      </Link>
    </nav>
  );
}

/** A link back to a running recording, on the other pages. */
function RecordingPill() {
  const t = useT();
  const running = useValue(recordingStatus) === "recording";
  const elsewhere = useRouterState({ select: (state) => state.location.pathname !== "/record" });
  if (!running || !elsewhere) return null;
  return (
    <Link
      to="/record"
      aria-label={t("nav.backToRecording")}
      className="touch-target mr-1.5 inline-flex items-center gap-2 rounded-full bg-seal-wash px-3 py-1 font-[550] text-seal-text text-sm"
    >
      <span aria-hidden="true" className="size-2 rounded-full bg-seal" />
      <span className="max-sm:sr-only">{t("nav.recordingNow")}</span>
    </Link>
  );
}
