import { Link } from "@tanstack/react-router";
import { ArrowLeft, Download, PanelLeft, Share2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { useLatch, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useTitle } from "#client/lib/title.ts";
import { isSidebarOverlay, setSidebarOpen, sidebarOpen } from "#client/state/preferences.ts";
import { getButtonClass, IconButton } from "#client/ui/button.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { Seal } from "#client/ui/seal.tsx";
import { mockMessages, useT } from "./messages/index.ts";
import { SampleIconButton, SearchField, useNotifySample } from "./sample.tsx";
import { type MockPage, places, Sidebar } from "./sidebar.tsx";

const MeetingDialog = lazyPart(() => import("./meeting-dialog.tsx"), mockMessages);

/** The frame of every page of the mock-up: top bar, sidebar, and the page beside it. */
export function Shell({ page, children }: { page: MockPage; children: ReactNode }) {
  const t = useT();
  const beside = useValue(sidebarOpen);
  const [meeting, setMeeting] = useState(false);
  const isDialogLoaded = useLatch(meeting);
  useTitle(t("mock.title", { page: t(`mock.${page}.title`) }));
  // On a narrow screen the sidebar would cover the page that was just opened.
  useEffect(() => {
    if (isSidebarOverlay()) setSidebarOpen(false);
  }, []);
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] overflow-hidden">
      <TopBar isSidebarOpen={beside} />
      <div
        className={`grid min-h-0 grid-cols-[minmax(0,1fr)] ${beside ? "desk:grid-cols-[16.5rem_minmax(0,1fr)]" : ""}`}
      >
        {beside ? <Sidebar onMeeting={() => setMeeting(true)} /> : null}
        {children}
      </div>
      {isDialogLoaded ? <MeetingDialog open={meeting} onClose={() => setMeeting(false)} /> : null}
    </div>
  );
}

function TopBar({ isSidebarOpen }: { isSidebarOpen: boolean }) {
  const t = useT();
  const notifySample = useNotifySample();
  const [query, setQuery] = useState("");
  return (
    <header className="z-4 flex h-14 shrink-0 items-center gap-3 border-rule border-b bg-paper px-5 max-book:gap-1.5 max-book:px-3 max-sm:gap-1 max-sm:px-2">
      <a
        href="#content"
        className="sr-only rounded-s bg-ink px-3 py-1.5 text-paper focus:not-sr-only focus:absolute focus:left-3"
      >
        {t("common.skip")}
      </a>
      <IconButton
        icon={PanelLeft}
        iconClass="size-4.5"
        label={t(isSidebarOpen ? "mock.sidebar.hide" : "mock.sidebar.show")}
        aria-expanded={isSidebarOpen}
        onClick={() => setSidebarOpen(!isSidebarOpen)}
        className="-ml-2 max-book:-ml-1"
      />
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
      <search className="min-w-0 flex-1 book:ml-3 book:max-w-100">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (query.trim()) notifySample("mock.top.search");
          }}
        >
          <SearchField
            label={t("mock.top.search")}
            placeholder={t("mock.top.searchPlaceholder")}
            value={query}
            onChange={setQuery}
          />
        </form>
      </search>
      <div className="ml-auto flex items-center gap-1 max-sm:gap-0">
        <SampleIconButton label="mock.top.share" Icon={Share2} />
        <SampleIconButton label="mock.top.export" Icon={Download} />
        <div className="ml-1.5 max-sm:ml-0.5">
          <LanguageSwitch />
        </div>
      </div>
    </header>
  );
}

type TitledPage = Exclude<MockPage, "record">;

/** A scrolling page with one column. Without children it says what will be on it. */
export function Column({ page, children }: { page: TitledPage; children?: ReactNode }) {
  const { Icon } = places[page];
  return (
    <Shell page={page}>
      <main
        id="content"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className="-outline-offset-2 min-h-0 min-w-0 overflow-y-auto"
      >
        <div className="mx-auto max-w-wide px-6 pt-8 pb-20 max-book:px-4 max-sm:pt-5">
          {children ? null : (
            <span className="mb-6 grid size-14 place-items-center rounded-full bg-jade-wash text-jade">
              <Icon className="size-6" />
            </span>
          )}
          <MockHead page={page} />
          {children}
        </div>
      </main>
    </Shell>
  );
}

export function MockHead({ page }: { page: TitledPage }) {
  const t = useT();
  const back = (
    <Link to="/record2" className={getButtonClass({ size: "small" })}>
      <ArrowLeft className="size-4" />
      {t("mock.placeholder.back")}
    </Link>
  );
  return (
    <PageHead title={t(`mock.${page}.title`)} action={back}>
      {t(`mock.${page}.text`)}
    </PageHead>
  );
}
