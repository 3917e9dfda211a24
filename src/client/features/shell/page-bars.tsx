import { type ReactNode, useState } from "react";
import { useT } from "#client/i18n/index.ts";
import { useValue } from "#client/lib/signal.ts";
import { newVersion } from "#client/state/new-version.ts";
import { online } from "#client/state/online.ts";
import { canReload, recordingStatus } from "#client/state/recording.ts";
import { Button } from "#client/ui/button.tsx";

/** Messages above every page: offline, or a new version. Their height is published as `--bars`. */
export function PageBars() {
  const t = useT();
  const offline = !useValue(online);
  const recording = useValue(recordingStatus) === "recording";
  const isOutdated = useValue(newVersion);
  const isReloadSafe = useValue(canReload);
  const [postponed, setPostponed] = useState(false);

  return (
    <div ref={publishHeight} role="status" className="sticky top-0 z-3">
      {offline ? <Bar text={t(recording ? "bar.offlineRecording" : "bar.offline")} /> : null}
      {isOutdated && isReloadSafe && !postponed ? (
        <Bar text={t("bar.version")}>
          <Button size="small" onClick={() => setPostponed(true)}>
            {t("bar.later")}
          </Button>
          <Button size="small" look="ink" onClick={() => window.location.reload()}>
            {t("bar.reload")}
          </Button>
        </Bar>
      ) : null}
    </div>
  );
}

function Bar({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-5 gap-y-2 border-rule border-b bg-paper-2 px-5 py-2.5 text-ink-2 max-sm:px-4">
      <p className="flex min-w-0 items-baseline gap-2.5">
        <span
          aria-hidden="true"
          className="size-1.5 shrink-0 -translate-y-0.5 rounded-full bg-ink-3"
        />
        {text}
      </p>
      {children ? <div className="flex gap-2">{children}</div> : null}
    </div>
  );
}

/** A ref that publishes the height of its element as a CSS variable of the document. */
function publishHeight(element: HTMLElement | null) {
  if (!element) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() =>
    style.setProperty("--bars", `${element.getBoundingClientRect().height}px`),
  );
  observer.observe(element);
  return () => {
    observer.disconnect();
    style.removeProperty("--bars");
  };
}
