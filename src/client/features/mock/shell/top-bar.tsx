import { Link } from "@tanstack/react-router";
import { Download, PanelLeft, Search, Share2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { useNotifySample } from "#client/features/mock/sample.ts";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { useValue } from "#client/lib/signal.ts";
import { setSidebarOpen, sidebarOpen } from "#client/state/preferences.ts";
import { IconButton } from "#client/ui/button.tsx";
import { Seal } from "#client/ui/seal.tsx";

export function TopBar() {
  const t = useT();
  const notifySample = useNotifySample();
  const open = useValue(sidebarOpen);
  return (
    <header className="z-4 flex h-14 shrink-0 items-center gap-3 border-rule border-b bg-paper px-5 max-book:gap-1.5 max-book:px-3 max-sm:gap-1 max-sm:px-2">
      <a
        href="#content"
        className="sr-only rounded-s bg-ink px-3 py-1.5 text-paper focus:not-sr-only focus:absolute focus:left-3"
      >
        {t("common.skip")}
      </a>
      <IconButton
        label={t(open ? "mock.sidebar.hide" : "mock.sidebar.show")}
        aria-expanded={open}
        onClick={() => setSidebarOpen(!open)}
        className="-ml-2 max-book:-ml-1"
      >
        <PanelLeft className="size-4.5" aria-hidden="true" />
      </IconButton>
      <Link
        to="/home2"
        className="flex items-center gap-2.5 max-sm:hidden"
        aria-label={t("brand.name")}
      >
        <Seal />
        <b className="font-semibold text-[1rem] leading-none tracking-tight max-book:hidden">
          {t("brand.name")}
        </b>
      </Link>
      <span className="rounded-[5px] bg-paper-3 px-1.75 py-px font-semibold text-[0.7rem] text-ink-2">
        {t("mock.sample.mark")}
      </span>
      <SearchField />
      <div className="ml-auto flex items-center gap-1 max-sm:gap-0">
        <IconButton label={t("mock.top.share")} onClick={() => notifySample(t("mock.top.share"))}>
          <Share2 className="size-4.5" aria-hidden="true" />
        </IconButton>
        <IconButton label={t("mock.top.export")} onClick={() => notifySample(t("mock.top.export"))}>
          <Download className="size-4.5" aria-hidden="true" />
        </IconButton>
        <div className="ml-1.5 max-sm:ml-0.5">
          <LanguageSwitch />
        </div>
      </div>
    </header>
  );
}

function SearchField() {
  const t = useT();
  const notifySample = useNotifySample();
  const [query, setQuery] = useState("");
  function search(event: FormEvent) {
    event.preventDefault();
    if (query.trim()) notifySample(t("mock.top.search"));
  }
  return (
    <search className="min-w-0 flex-1 book:ml-3 book:max-w-100">
      <form onSubmit={search} className="relative">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3"
        />
        <input
          type="search"
          aria-label={t("mock.top.search")}
          placeholder={t("mock.top.searchPlaceholder")}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-9 w-full min-w-0 rounded-m border border-rule-control bg-sheet pr-3 pl-9 text-ink text-sm transition-colors duration-150 ease-quiet text-ellipsis hover:border-rule-strong pointer-coarse:h-11"
        />
      </form>
    </search>
  );
}
