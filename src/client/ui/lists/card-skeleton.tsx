import { useT } from "#client/i18n/library/index.ts";
import { Skeleton } from "#client/ui/skeleton.tsx";

export function CardSkeleton() {
  return (
    <div className="grid gap-2.5 py-5">
      <Skeleton className="h-5 w-56" />
      <Skeleton className="h-3.5 w-44" />
      <Skeleton className="h-3.5 w-full max-w-120" />
      <Skeleton className="h-3.5 w-3/4 max-w-96" />
    </div>
  );
}

export function CardListSkeleton() {
  const t = useT();
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">{t("common.loading")}</span>
      <CardSkeleton />
      <CardSkeleton />
      <CardSkeleton />
    </div>
  );
}
