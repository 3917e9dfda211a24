import { useRouter } from "@tanstack/react-router";
import { PanelLeft, SlidersHorizontal } from "lucide-react";
import { useRef, useState } from "react";
import { Sidebar } from "../features/lectures/sidebar/sidebar.tsx";
import { ask } from "../features/recording/asked.ts";
import { openSession } from "../features/recording/open-session.ts";
import { RecordingScreen } from "../features/recording/recording-screen.tsx";
import { Header } from "../features/shell/header.tsx";
import { useT } from "../i18n/index.ts";
import { type Visitor, visitor } from "../lib/auth.ts";
import { showSidebar, sidebarCovers, sidebarOpen } from "../lib/preferences.ts";
import { DataProvider } from "../lib/queries.tsx";
import { useField, useValue } from "../lib/signal.ts";
import { useTitle } from "../lib/title.ts";
import { IconButton } from "../ui/button.tsx";
import { useAddress } from "./record-address.ts";

export default function RecordPage() {
  const t = useT();
  const who = useValue(visitor);
  useTitle(t("title.record"));
  if (who.kind !== "user" && who.kind !== "guest") return null;
  return (
    <DataProvider>
      <Recording key={who.kind === "user" ? who.user.id : who.kind} who={who} />
    </DataProvider>
  );
}

function Recording({ who }: { who: Extract<Visitor, { kind: "user" | "guest" }> }) {
  const t = useT();
  const router = useRouter();
  // The session outlives this page, and so does the router.
  const [session] = useState(() =>
    openSession(who, {
      plans: () => void router.navigate({ to: "/profile", state: { view: "subscription" } }),
      signIn: () => void router.navigate({ to: "/auth", search: { redirect: "/record" } }),
    }),
  );
  const lecture = useField(session.view, "lecture");
  const saving = useField(session.view, "busy") === "saving";
  const beside = useValue(sidebarOpen);
  const search = useRef<HTMLInputElement>(null);
  const signedIn = who.kind === "user";
  const address = useAddress(session, signedIn);

  /** On a narrow screen the choice was made, and the page is wanted. */
  function afterChoice() {
    if (sidebarCovers()) showSidebar(false);
  }

  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] overflow-hidden">
      <Header
        actions={
          <IconButton
            label={t("settings.title")}
            onClick={() => ask("settings")}
            className="max-sm:hidden"
          >
            <SlidersHorizontal className="size-4.5" aria-hidden="true" />
          </IconButton>
        }
        menu={[
          {
            key: "settings",
            icon: <SlidersHorizontal className="size-4" aria-hidden="true" />,
            label: t("account.recordingSettings"),
            run: () => ask("settings"),
          },
        ]}
      />
      <div
        className={`grid min-h-0 grid-cols-[minmax(0,1fr)] ${beside ? "desk:grid-cols-[16.5rem_minmax(0,1fr)]" : ""}`}
      >
        {beside ? (
          <Sidebar
            signedIn={signedIn}
            openId={lecture?.id ?? null}
            saving={saving}
            search={search}
            onClose={() => showSidebar(false)}
            onOpen={(id) => {
              address.open(id);
              afterChoice();
            }}
            onNew={() => {
              void session.reset();
              afterChoice();
            }}
          />
        ) : null}
        <RecordingScreen
          session={session}
          signedIn={signedIn}
          sidebarToggle={
            <IconButton
              label={t(beside ? "sidebar.hide" : "sidebar.show")}
              aria-expanded={beside}
              onClick={() => showSidebar(!beside)}
            >
              <PanelLeft className="size-4.5" aria-hidden="true" />
            </IconButton>
          }
          onLectures={() => {
            showSidebar(true);
            requestAnimationFrame(() => search.current?.focus());
          }}
        />
      </div>
    </div>
  );
}
