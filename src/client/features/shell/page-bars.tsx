import { type ReactNode, useState } from "react";
import { useT } from "#client/i18n/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { newVersion } from "#client/lib/new-version.ts";
import { useOnline } from "#client/state/offline.ts";
import { canReload, recordingStatus } from "#client/state/recording.ts";
import { Button } from "#client/ui/button.tsx";

/**
 * Messages over every page, which move nothing: offline, or a new version. At the lower edge, where toasts never
 * are. The recording page says itself that it is offline, below its controls.
 */
export function PageBars() {
  const t = useT();
  const offline = !useOnline();
  const recording = useValue(recordingStatus) === "recording";
  const isOutdated = useValue(newVersion);
  const isReloadSafe = useValue(canReload);
  const [postponed, setPostponed] = useState(false);
  const [isOfflineRead, setOfflineRead] = useState(false);
  if (!offline && isOfflineRead) setOfflineRead(false);

  return (
    <div role="status" className="page-bars">
      {offline && !isOfflineRead ? (
        <Bar text={t(recording ? "bar.offlineRecording" : "bar.offline")} name="offline">
          <Button size="small" onClick={() => setOfflineRead(true)}>
            {t("common.close")}
          </Button>
        </Bar>
      ) : null}
      {isOutdated && isReloadSafe && !postponed ? (
        <Bar text={t("bar.version")} name="version">
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

interface BarProps {
  text: string;
  name: string;
  children: ReactNode;
}

function Bar({ text, name, children }: BarProps) {
  return (
    <div
      data-bar={name}
      className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 rounded-m border border-rule bg-sheet py-2 pr-2 pl-4 text-ink shadow-sheet"
    >
      <p className="min-w-48 flex-1 py-1">{text}</p>
      <div className="flex gap-2">{children}</div>
    </div>
  );
}
