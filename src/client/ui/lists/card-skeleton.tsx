import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";

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
  return (
    <LoadingSkeleton>
      <CardSkeleton />
      <CardSkeleton />
      <CardSkeleton />
    </LoadingSkeleton>
  );
}

/** In place of the filters of a list. */
export function ChipsSkeleton() {
  return (
    <div className="mt-4 mb-2.5 flex gap-2">
      <Skeleton className="h-7.5 w-36 rounded-full" />
      <Skeleton className="h-7.5 w-24 rounded-full" />
    </div>
  );
}
