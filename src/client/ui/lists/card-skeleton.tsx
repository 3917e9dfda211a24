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
