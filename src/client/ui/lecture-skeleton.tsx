import { LoadingSkeleton, Skeleton } from "./skeleton.tsx";

export function LectureSkeleton() {
  return (
    <LoadingSkeleton className="grid gap-4">
      <Skeleton className="h-8 w-72 max-w-full" />
      <Skeleton className="mb-6 h-4 w-44" />
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="grid gap-3 book:grid-cols-2 book:gap-8">
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </div>
      ))}
    </LoadingSkeleton>
  );
}
