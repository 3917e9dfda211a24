import { LoadingSkeleton, Skeleton } from "./skeleton.tsx";

/** A ring and a label, for a whole page that is loading. */
export function Spinner({ label }: { label: string }) {
  return (
    <div role="status" className="grid min-h-60 place-items-center text-ink-3">
      <span className="flex items-center gap-3">
        <span
          aria-hidden="true"
          className="size-4 animate-spin rounded-full border-2 border-rule border-t-ink-2"
        />
        {label}
      </span>
    </div>
  );
}

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
