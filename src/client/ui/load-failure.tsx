import { useT } from "#client/i18n/index.ts";
import { Button } from "./button.tsx";

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
