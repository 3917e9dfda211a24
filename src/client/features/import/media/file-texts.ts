import type { Translate } from "#client/i18n/export-import/index.ts";
import { formatClock } from "#client/lib/dates.ts";
import { foreignFormats, isForeignFormat } from "#client/sound/media-files/foreign-formats.ts";
import {
  type FileProblem,
  mediaMaxMs,
  wholeDecodeMaxBytes,
} from "#client/sound/media-files/media-file.ts";
import { mediaMaxBytes } from "#shared/limits.ts";

const megabyte = 1024 * 1024;

/** Limits, as messages name them. */
export const mediaLimits = {
  hours: mediaMaxMs / 3_600_000,
  gigabytes: mediaMaxBytes / (1024 * megabyte),
  megabytes: wholeDecodeMaxBytes / megabyte,
};

export const describeProblem = (t: Translate, problem: FileProblem | "other"): string =>
  isForeignFormat(problem)
    ? t("media.problem.foreign", { format: foreignFormats[problem] })
    : t(`media.problem.${problem}`, mediaLimits);

/** A length such as `1:02:03`. */
export const formatLength = (ms: number): string => formatClock(Math.round(ms / 1_000));
