import { useT } from "#client/i18n/export-import/index.ts";
import { Button } from "#client/ui/button.tsx";
import { footerClass } from "#client/ui/dialog.tsx";

interface ExportProgressProps {
  /** Lectures of a folder; null for a single lecture and until they are counted. */
  progress: { done: number; total: number } | null;
  onCancel: () => void;
}

export function ExportProgress({ progress, onCancel }: ExportProgressProps) {
  const t = useT();
  const text = progress === null ? t("export.busy") : t("export.progress", progress);
  return (
    <div className="grid gap-5">
      <div className="grid gap-2.5">
        <p role="status" className="tabular text-ink-2">
          {text}
        </p>
        {progress === null ? null : (
          <progress
            aria-label={t("export.busy")}
            value={progress.done}
            max={Math.max(1, progress.total)}
            className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-paper-3 [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-paper-3 [&::-webkit-progress-value]:bg-ink"
          />
        )}
      </div>
      <div className={footerClass}>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </div>
  );
}

interface ExportFailuresProps {
  files: number;
  failed: readonly string[];
  onClose: () => void;
}

export function ExportFailures({ files, failed, onClose }: ExportFailuresProps) {
  const t = useT();
  return (
    <div className="grid min-w-0 gap-5">
      <div role="alert" className="grid min-w-0 gap-2">
        <p className="text-ink-2">{t("export.missing", { failed: failed.length, files })}</p>
        <ul className="grid max-h-56 gap-1 overflow-y-auto rounded-m bg-paper-2 px-3.5 py-2.5 text-sm">
          {failed.map((path) => (
            <li key={path} className="wrap-anywhere">
              {path}
            </li>
          ))}
        </ul>
      </div>
      <div className={footerClass}>
        <Button look="ink" onClick={onClose}>
          {t("common.ok")}
        </Button>
      </div>
    </div>
  );
}
