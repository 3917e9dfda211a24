import { type ErrorComponentProps, Link, useRouter, useRouterState } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { useT } from "#client/i18n/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { PageLoadError } from "#client/lib/lazy-page.ts";
import { newVersion } from "#client/lib/new-version.ts";
import { useOnline } from "#client/state/offline.ts";
import { canReload, recordingSession, recordingStatus } from "#client/state/recording.ts";
import { visitor } from "#client/state/visitor.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { PlainPage } from "#client/ui/page.tsx";

const texts = {
  offline: { title: "offline.title", text: "offline.text" },
  updated: { title: "crash.newVersion", text: "crash.newVersionText" },
  crash: { title: "crash.title", text: "crash.text" },
} as const;

/** In place of a page that failed: why, whether a recording still runs, and what to do next. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const t = useT();
  const router = useRouter();
  const hasNetwork = useOnline();
  // The visitor is unknown until the server has answered once.
  const isServerUnreached = useValue(visitor).kind === "unknown";
  const isOutdated = useValue(newVersion);
  const isReloadSafe = useValue(canReload);
  const [trying, setTrying] = useState(false);

  const isUnreached = isServerUnreached || (error instanceof PageLoadError && !hasNetwork);
  const cause = isOutdated ? "updated" : isUnreached ? "offline" : "crash";
  const { title, text } = texts[cause];

  const retry = useCallback(async () => {
    setTrying(true);
    if (error instanceof PageLoadError) await error.retry();
    await router.invalidate();
    reset();
    setTrying(false);
  }, [error, reset, router]);

  useEffect(() => {
    if (cause !== "offline") return;
    const again = () => void retry();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [cause, retry]);

  return (
    <PlainPage
      role="alert"
      title={t(title)}
      text={
        <>
          <p>{t(cause === "updated" && !isReloadSafe ? "crash.newVersionLater" : text)}</p>
          {cause === "offline" ? <p className="text-ink-3">{t("offline.works")}</p> : null}
        </>
      }
    >
      {cause === "updated" && isReloadSafe ? (
        <Button look="ink" onClick={() => window.location.reload()}>
          {t("bar.reload")}
        </Button>
      ) : null}
      {cause === "updated" ? null : (
        <Button look="ink" disabled={trying} onClick={() => void retry()}>
          {t("common.retry")}
        </Button>
      )}
      {cause === "offline" ? null : (
        // A new document clears whatever state caused the crash.
        <Link to="/" reloadDocument={isReloadSafe} className={getButtonClass()}>
          {t("notFound.back")}
        </Link>
      )}
      <RunningRecording />
    </PlainPage>
  );
}

/** The recording lives outside the pages: it continues, and can be stopped from here. */
function RunningRecording() {
  const t = useT();
  const running = useValue(recordingStatus) === "recording";
  const here = useRouterState({ select: ({ location }) => location.pathname === "/record" });
  if (!running) return null;
  return (
    <div className="mt-6 grid basis-full gap-3 border-rule border-t pt-6">
      <p className="flex items-center gap-2 font-medium text-seal-text">
        <span aria-hidden="true" className="size-2 animate-breathe rounded-full bg-seal" />
        {t("crash.recording")}
      </p>
      <div className="flex flex-wrap gap-2">
        {here ? null : (
          <Link to="/record" className={getButtonClass()}>
            {t("crash.toRecording")}
          </Link>
        )}
        <Button onClick={() => void recordingSession.get()?.stop()}>{t("crash.stop")}</Button>
      </div>
    </div>
  );
}
