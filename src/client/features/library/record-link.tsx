import { Link } from "@tanstack/react-router";
import { useT } from "#client/i18n/library/index.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";

export function RecordLink({ className = "" }: { className?: string }) {
  const t = useT();
  return (
    <Link to="/record" className={`${getButtonClass({ look: "seal" })} ${className}`}>
      <span aria-hidden="true" className="size-2.75 rounded-full bg-current" />
      {t("home.record")}
    </Link>
  );
}

/** In place of an empty list of lectures. */
export function NoLectures({ inFolder = false }: { inFolder?: boolean }) {
  const t = useT();
  return (
    <Placeholder
      title={t(inFolder ? "home.emptyFolder" : "home.empty")}
      text={t(inFolder ? "home.emptyFolderHint" : "home.emptyHint")}
    >
      <Link to="/record" className={getButtonClass({ look: "ink" })}>
        {t("home.newLecture")}
      </Link>
    </Placeholder>
  );
}
