import { Link, useRouterState } from "@tanstack/react-router";
import { BookOpen, Mic } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#client/i18n/index.ts";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { useValue } from "#client/lib/hooks.ts";
import { toggleTheme } from "#client/state/profile-theme.ts";
import { recordingStatus } from "#client/state/recording.ts";
import { theme } from "#client/state/theme.ts";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";
import { Seal } from "#client/ui/seal.tsx";
import { ThemeButton } from "#client/ui/theme-button.tsx";
import { AccountMenu } from "./account-menu.tsx";

const linkClass =
  "touch-target inline-flex items-center justify-center gap-2 rounded-s px-3 py-1.5 text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink aria-[current]:bg-paper-3 aria-[current]:font-[550] aria-[current]:text-ink max-sm:flex-col max-sm:gap-1 max-sm:px-2";
/** Below the icon on a phone, unless it is very narrow. */
const labelClass = "max-sm:text-[0.6875rem] max-sm:leading-none max-[23rem]:sr-only";

interface HeaderProps {
  actions?: ReactNode;
  menu?: readonly MenuEntry[];
}

export function Header({ actions, menu }: HeaderProps) {
  const t = useT();
  const isDark = useValue(theme) === "dark";
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <header className="sticky top-0 z-2 flex h-14 shrink-0 items-center gap-5 border-rule border-b bg-paper/92 px-5 backdrop-blur-md max-book:gap-2 max-book:px-4">
      <a
        href="#content"
        className="sr-only rounded-s bg-ink px-3 py-1.5 text-paper focus:not-sr-only focus:absolute focus:left-3"
      >
        {t("common.skip")}
      </a>
      <Link
        to="/"
        className="touch-target flex items-center gap-2.5 max-sm:pointer-coarse:-mx-2 max-sm:pointer-coarse:justify-center"
        aria-label={t("brand.name")}
      >
        <Seal />
        <span className="max-sm:hidden">
          <b className="block font-semibold text-[1rem] leading-none tracking-tight">
            {t("brand.name")}
          </b>
          <small className="mt-1 block text-ink-3 text-xs leading-none max-book:hidden">
            {t("brand.line")}
          </small>
        </span>
      </Link>
      <div className="ml-3 max-sm:ml-0">
        <HeaderLinks />
      </div>
      <div className="ml-auto flex items-center gap-1.5 max-sm:gap-0.5">
        <RecordingPill />
        <LanguageSwitch />
        <ThemeButton isDark={isDark} onClick={toggleTheme} />
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
        <BookOpen className="size-4 sm:hidden" />
        <span className={labelClass}>{t("nav.home")}</span>
      </Link>
      <Link to="/record" className={linkClass} activeOptions={{ includeSearch: false }}>
        <Mic className="size-4 sm:hidden" />
        <span className={labelClass}>{t("nav.recordings")}</span>
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
