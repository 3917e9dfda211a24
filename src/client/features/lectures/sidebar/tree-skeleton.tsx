import { useT } from "../../../i18n/index.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";

/** In place of folders and lectures that are not there yet. */
export function TreeSkeleton() {
  const t = useT();
  return (
    <div role="status" aria-busy="true" className="grid gap-3.5 px-2.5 py-2">
      <span className="sr-only">{t("common.loading")}</span>
      <Skeleton className="h-4 w-3/4" />
      <Skeleton className="ml-5 h-4 w-1/2" />
      <Skeleton className="ml-5 h-4 w-2/3" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
