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
