import type { ReactNode } from "react";
import { useT } from "#client/i18n/index.ts";

/** A grey shape in place of loading content. It is hidden from screen readers: see `LoadingSkeleton`. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block animate-breathe rounded-s bg-paper-3 ${className}`}
    />
  );
}

interface LoadingSkeletonProps {
  className?: string;
  children: ReactNode;
}

/** Skeletons whose loading is announced to screen readers. */
export function LoadingSkeleton({ className, children }: LoadingSkeletonProps) {
  const t = useT();
  return (
    <div role="status" aria-busy="true" className={className}>
      <span className="sr-only">{t("common.loading")}</span>
      {children}
    </div>
  );
}

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
