import { FileUp } from "lucide-react";
import { useId } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/export-import/index.ts";
import { formatNumber } from "#client/lib/numbers.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { type FileError, fileMaxBytes, importExtensions, rowsMax } from "./read-file.ts";

interface FileDropProps {
  error: FileError | null;
  /** True while files are dragged over the window. */
  isDraggedOver: boolean;
  onFiles: (files: readonly File[]) => void;
}

const megabytes = fileMaxBytes / (1024 * 1024);

export function FileDrop({ error, isDraggedOver, onFiles }: FileDropProps) {
  const t = useT();
  const language = useLanguage();
  const id = useId();
  return (
    <div className="grid gap-3">
      <div
        className={`grid justify-items-center gap-3 rounded-m border border-dashed px-5 py-8 text-center transition-colors duration-150 ease-quiet ${isDraggedOver ? "border-ink bg-paper-3" : "border-rule-strong bg-paper-2"}`}
      >
        <FileUp className="size-6 text-ink-3" aria-hidden="true" />
        <div className="grid gap-0.5">
          <p className="font-[550]">{t("import.drop")}</p>
          <p id={`${id}-hint`} className="tabular text-ink-3 text-sm">
            {t("import.dropHint", { megabytes, rows: formatNumber(rowsMax, language) })}
          </p>
        </div>
        <label
          className={`${getButtonClass({ look: "ink" })} relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-ink has-focus-visible:outline-offset-2`}
        >
          {t("import.choose")}
          <input
            type="file"
            accept={importExtensions.map((ending) => `.${ending}`).join(",")}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : `${id}-hint`}
            onChange={(event) => {
              onFiles([...(event.target.files ?? [])]);
              // Otherwise choosing the same file again after a correction would cause no event.
              event.target.value = "";
            }}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
        </label>
      </div>
      {error === null ? null : (
        <p id={`${id}-error`} role="alert" className="text-warn text-sm">
          {error.reason === "rows"
            ? t("import.refused.rows", {
                count: formatNumber(error.count, language),
                max: formatNumber(rowsMax, language),
              })
            : t(`import.refused.${error.reason}`, { megabytes })}
        </p>
      )}
    </div>
  );
}
