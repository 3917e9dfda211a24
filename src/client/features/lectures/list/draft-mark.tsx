import { useT } from "../../../i18n/index.ts";

/** Beside the name of a lecture that is a draft: the same in every list. */
export function DraftMark({ className = "" }: { className?: string }) {
  const t = useT();
  return (
    <span
      className={`shrink-0 rounded-[5px] border border-ink-3/35 px-1.25 font-medium text-ink-3 text-xs leading-4 tracking-normal ${className}`}
    >
      {t("home.draft")}
    </span>
  );
}
