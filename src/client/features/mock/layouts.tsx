import { Link } from "@tanstack/react-router";
import { ArrowLeft, Download, type LucideIcon, PanelLeft, Share2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useValue } from "#client/lib/signal.ts";
import { useTitle } from "#client/lib/title.ts";
import { isSidebarOverlay, setSidebarOpen, sidebarOpen } from "#client/state/preferences.ts";
import { getButtonClass, IconButton } from "#client/ui/button.tsx";
import { Seal } from "#client/ui/seal.tsx";
import { type MessageKey, mockMessages, useT } from "./messages/index.ts";
import { SampleIconButton, SearchField, useNotifySample } from "./sample.tsx";
import { Sidebar } from "./sidebar.tsx";

const MeetingDialog = lazyPart(() => import("./meeting-dialog.tsx"), mockMessages);

interface ShellProps {
  title: MessageKey;
  children: ReactNode;
}

/** The frame of every page of the mock-up: top bar, sidebar, and the page beside it. */
export function Shell({ title, children }: ShellProps) {
  const t = useT();
  const beside = useValue(sidebarOpen);
  const [meeting, setMeeting] = useState(false);
  const isDialogLoaded = useLatch(meeting);
  useTitle(t(title));
  // On a narrow screen the sidebar would cover the page that was just opened.
  useEffect(() => {
    if (isSidebarOverlay()) setSidebarOpen(false);
  }, []);
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] overflow-hidden">
      <TopBar />
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

function TopBar() {
  const t = useT();
  const notifySample = useNotifySample();
  const open = useValue(sidebarOpen);
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
        label={t(open ? "mock.sidebar.hide" : "mock.sidebar.show")}
        aria-expanded={open}
        onClick={() => setSidebarOpen(!open)}
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
            if (query.trim()) notifySample(t("mock.top.search"));
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

/** A scrolling page with one column. */
export function Column({ title, children }: ShellProps) {
  return (
    <Shell title={title}>
      <main
        id="content"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className="-outline-offset-2 min-h-0 min-w-0 overflow-y-auto"
      >
        <div className="mx-auto max-w-wide px-6 pt-8 pb-20 max-book:px-4 max-sm:pt-5">
          {children}
        </div>
      </main>
    </Shell>
  );
}

export function PageHead({ name }: { name: "assistant" | "courses" | "settings" }) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div>
        <h1 className="font-semibold text-3xl tracking-tight max-sm:text-2xl">
          {t(`mock.${name}.title`)}
        </h1>
        <p className="mt-1.5 text-pretty text-ink-2">{t(`mock.${name}.text`)}</p>
      </div>
      <BackToRecord className={getButtonClass({ size: "small" })} />
    </div>
  );
}

function BackToRecord({ className }: { className: string }) {
  const t = useT();
  return (
    <Link to="/record2" className={className}>
      <ArrowLeft className="size-4" />
      {t("mock.placeholder.back")}
    </Link>
  );
}

interface PlaceholderPageProps {
  name: "home" | "notes" | "knowledge" | "subscription" | "profile";
  Icon: LucideIcon;
}

/** A page that says what will be on it. */
export function PlaceholderPage({ name, Icon }: PlaceholderPageProps) {
  const t = useT();
  return (
    <Column title={`mock.title.${name}`}>
      <div className="grid justify-items-start gap-3">
        <span
          aria-hidden="true"
          className="mb-3 grid size-14 place-items-center rounded-full bg-jade-wash text-jade"
        >
          <Icon className="size-6" />
        </span>
        <h1 className="font-semibold text-3xl tracking-tight max-sm:text-2xl">
          {t(`mock.${name}.title`)}
        </h1>
        <p className="max-w-[52ch] text-pretty text-ink-2 text-md">{t(`mock.${name}.text`)}</p>
        <BackToRecord className={`${getButtonClass()} mt-4`} />
      </div>
    </Column>
  );
}
