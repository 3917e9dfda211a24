import { Link } from "@tanstack/react-router";
import { useT } from "#client/i18n/library/index.ts";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";

interface RecordLinkProps {
  isLarge?: boolean;
  /** The folder in which the lecture is created. */
  folderId?: string | null | undefined;
}

const toRecordSearch = (folderId: string | null | undefined): HomeSearch =>
  folderId ? { folder: folderId } : {};

export function RecordLink({ folderId, isLarge = false }: RecordLinkProps) {
  const t = useT();
  return (
    <Link
      to="/record"
      search={toRecordSearch(folderId)}
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
