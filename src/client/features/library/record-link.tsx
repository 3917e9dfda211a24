import { Link } from "@tanstack/react-router";
import { useT } from "#client/i18n/library/index.ts";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { useValue } from "#client/lib/hooks.ts";
import { recordingStatus } from "#client/state/recording.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";

interface RecordLinkProps {
  isLarge?: boolean;
  /** The folder in which the lecture is created. */
  folderId?: string | null | undefined;
}

const toRecordSearch = (folderId: string | null | undefined): HomeSearch =>
  folderId ? { folder: folderId } : {};

/** Records at once, unless this tab has a recording that goes on or may be continued: that one is shown. */
export function RecordLink({ folderId, isLarge = false }: RecordLinkProps) {
  const t = useT();
  const isReady = useValue(recordingStatus) === "ready";
  return (
    <Link
      to="/record"
      search={{ ...toRecordSearch(folderId), ...(isReady && { autostart: true }) }}
      className={
        isLarge
          ? `${getButtonClass({ look: "seal", size: "pill" })} sm:min-w-48`
          : getButtonClass({ look: "seal" })
      }
    >
      <span aria-hidden="true" className="size-2.75 rounded-full bg-current" />
      {t("home.record")}
    </Link>
  );
}

/** In place of an empty list of lectures. */
export function NoLectures({ folderId }: Pick<RecordLinkProps, "folderId">) {
  const t = useT();
  const inFolder = folderId !== undefined;
  return (
    <Placeholder
      title={t(inFolder ? "home.emptyFolder" : "home.empty")}
      text={t(inFolder ? "home.emptyFolderHint" : "home.emptyHint")}
    >
      <Link
        to="/record"
        search={toRecordSearch(folderId)}
        className={getButtonClass({ look: "ink" })}
      >
        {t("home.newLecture")}
      </Link>
    </Placeholder>
  );
}
