import type { ReactNode } from "react";
import { useT } from "#client/i18n/index.ts";
import { Button } from "./button.tsx";

interface PlaceholderProps {
  title: string;
  text: string;
  children?: ReactNode;
  role?: "alert";
}

/** In place of a list that is empty, failed to load, or is not available. */
export function Placeholder({ title, text, children, role }: PlaceholderProps) {
  return (
    <div role={role} className="mt-6 grid justify-items-start gap-2 rounded-l bg-paper-2 px-7 py-8">
      <h2 className="font-semibold text-lg tracking-tight">{title}</h2>
      <p className="max-w-[52ch] text-pretty text-ink-2 text-md">{text}</p>
      {children ? <div className="mt-4 flex flex-wrap gap-2">{children}</div> : null}
    </div>
  );
}

interface LoadFailureProps {
  text: string;
  onRetry: () => unknown;
  /** By default in a row, with the button at its end. */
  className?: string;
}

/** In place of what could not be loaded. */
export function LoadFailure({
  text,
  onRetry,
  className = "flex flex-wrap items-center justify-between gap-3",
}: LoadFailureProps) {
  const t = useT();
  return (
    <div role="alert" className={className}>
      <p className="text-ink-2">{text}</p>
      <Button size="small" onClick={() => void onRetry()}>
        {t("common.retry")}
      </Button>
    </div>
  );
}
