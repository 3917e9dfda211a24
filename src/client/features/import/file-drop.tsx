import { useLanguage } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/export-import/index.ts";
import { formatNumber } from "#client/lib/text.ts";
import { mediaExtensions } from "#client/sound/media-files/media-file.ts";
import { FileChoice } from "#client/ui/file-choice.tsx";
import { rowsMax } from "./imported-rows.ts";
import { mediaLimits } from "./media/file-texts.ts";
import { type FileError, fileMaxBytes, importExtensions } from "./read-file.ts";

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
  const max = formatNumber(rowsMax, language);
  const describe = ({ reason }: FileError) => t(`import.refused.${reason}`, { megabytes, max });
  return (
    <FileChoice
      title={t("import.drop")}
      hint={t("import.dropHint", { ...mediaLimits, megabytes, rows: max })}
      label={t("import.choose")}
      extensions={[...importExtensions, ...mediaExtensions, "zip"]}
      types={["audio/*", "video/*"]}
      takesSeveral
      error={error && describe(error)}
      isDraggedOver={isDraggedOver}
      onFiles={onFiles}
    />
  );
}
