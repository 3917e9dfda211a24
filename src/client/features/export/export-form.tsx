import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { type Translate, useT } from "#client/i18n/export-import/index.ts";
import { lectureQuery } from "#client/state/library/cache.ts";
import { glossaryQuery } from "#client/state/library/glossary.ts";
import type { ExportTarget } from "#client/state/library/lecture-dialogs.ts";
import { api } from "#client/state/queries.tsx";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { footerClass } from "#client/ui/dialog.tsx";
import { LabelledSegments } from "#client/ui/segments.tsx";
import { resolveTerms } from "#shared/glossary.ts";
import { getLanguageName } from "#shared/languages.ts";
import { countUntimed } from "./cue-times.ts";
import {
  countUntranslated,
  type ExportedLecture,
  type Sides,
  toExportedLecture,
} from "./exported-lecture.ts";
import { canListTerms, canShowSlides, type FileOptions, type Format, formats } from "./formats.ts";
import {
  type Layout,
  layouts,
  type PrintOptions,
  type PrintPart,
  parsePrintSearch,
  printParts,
  sidesChoices,
} from "./print/print-search.ts";

/** A PDF is printed by the browser, for a single lecture only; the other formats are files. */
const pdf = "pdf";
type FormatOrPdf = Format | typeof pdf;

const [word, ...otherFormats] = formats;
const lectureFormats = [word, pdf, ...otherFormats] as const;

export interface ExportChoice extends Pick<FileOptions, "format" | "sides"> {
  /** The file lists the terms that occur in the lecture. */
  hasTerms: boolean;
  hasSlides: boolean;
}

interface ExportFormProps {
  target: Exclude<ExportTarget, { kind: "everything" }>;
  onCopy: (() => void) | undefined;
  onCancel: () => void;
  onExport: (choice: ExportChoice) => void;
  /** Called when the print view opens in another tab. */
  onPrint: () => void;
}

export function ExportForm({ target, onCopy, onCancel, onExport, onPrint }: ExportFormProps) {
  const t = useT();
  const [format, setFormat] = useState<FormatOrPdf>("docx");
  const [chosen, setSides] = useState<Sides | null>(null);
  const [print, setPrint] = useState<PrintOptions>(() => parsePrintSearch({}));
  const query = useQuery({ ...lectureQuery(target.id), enabled: target.kind === "lecture" });
  /** Null for a folder, and until it is loaded. */
  const glossary = useQuery({
    ...glossaryQuery(query.data?.folderId ?? null),
    enabled: query.data !== undefined,
  });
  const terms = useMemo(() => glossary.data && resolveTerms(glossary.data), [glossary.data]);
  const untitled = t("home.untitled");
  const lecture = useMemo(
    () => (query.data ? toExportedLecture(query.data, untitled, terms) : null),
    [query.data, untitled, terms],
  );
  const canHaveTerms = target.kind === "folder" || (lecture?.terms.length ?? 0) > 0;
  const slides = api.slides.list.useQuery(
    { lectureId: target.id },
    { enabled: target.kind === "lecture" },
  );
  const canHaveSlides = target.kind === "folder" || (slides.data?.length ?? 0) > 0;
  const translated = lecture === null || lecture.rows.some((row) => row.translated !== "");
  const language = useLanguage();
  const nameSide = (side: Sides) => {
    const isNamed = side === "original" || lecture?.isTwoWay === true;
    const tag = side === "both" || !isNamed ? null : (lecture?.languages[side] ?? null);
    return tag ? getLanguageName(tag, language) : t(`export.sides.${side}`);
  };
  const sides = chosen ?? (translated ? "both" : "original");
  const parts = printParts.filter((part) => {
    if (part === "terms") return canHaveTerms && (format === pdf || canListTerms(format));
    if (part === "slides") return canHaveSlides && (format === pdf || canShowSlides(format));
    return format === pdf;
  });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (format !== pdf)
          onExport({
            format,
            sides,
            hasTerms: canHaveTerms && print.terms,
            hasSlides: canHaveSlides && print.slides,
          });
      }}
      className="flex flex-col gap-5"
    >
      <FormatField
        choices={target.kind === "lecture" ? lectureFormats : formats}
        format={format}
        onChange={setFormat}
      />
      <LabelledSegments<Sides>
        label={t("export.sides")}
        value={sides}
        options={sidesChoices.map((value) => ({ value, label: nameSide(value) }))}
        onChange={setSides}
      />
      {format === pdf && sides === "both" ? (
        <LabelledSegments<Layout>
          label={t("print.layout")}
          value={print.layout}
          options={layouts.map((value) => ({ value, label: t(`print.layout.${value}`) }))}
          onChange={(layout) => setPrint({ ...print, layout })}
        />
      ) : null}
      <IncludedParts parts={parts} options={print} onChange={setPrint} />
      <div role="status" className="grid gap-1 text-ink-3 text-sm empty:hidden">
        {listRemarks(t, format, sides, lecture).map((remark) => (
          <p key={remark}>{remark}</p>
        ))}
      </div>
      <div className={footerClass}>
        {onCopy ? (
          <Button look="quiet" className="sm:mr-auto" onClick={onCopy}>
            {t("export.copy")}
          </Button>
        ) : null}
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        {format === pdf ? (
          // A link, because popup blockers block `window.open`. A new tab keeps what runs in this one.
          <Link
            to="/print"
            search={{ ...print, lecture: target.id, sides }}
            target="_blank"
            rel="noopener"
            onClick={onPrint}
            className={getButtonClass({ look: "ink" })}
          >
            {t("print.open")}
          </Link>
        ) : (
          <Button type="submit" look="ink">
            {t("export.confirm")}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Hints about the chosen file, such as estimated times and missing translations. */
function listRemarks(
  t: Translate,
  format: FormatOrPdf,
  sides: Sides,
  lecture: ExportedLecture | null,
) {
  const texts: string[] = [];
  if (format === pdf) texts.push(t("print.newTab"));
  else if (format === "srt" || format === "vtt") {
    const untimed = lecture === null ? null : countUntimed(lecture.rows);
    if (untimed === null) texts.push(t("export.estimatedFolder"));
    else if (untimed > 0) texts.push(t("export.estimated", { count: untimed }));
  }
  if (sides !== "original") {
    const missing = lecture === null ? 0 : countUntranslated(lecture);
    const isEnglish = lecture?.languages.original === "en";
    if (missing > 0)
      texts.push(
        t(isEnglish ? "export.untranslated" : "export.untranslatedOriginal", { count: missing }),
      );
  }
  return texts;
}

interface FormatFieldProps {
  choices: readonly FormatOrPdf[];
  format: FormatOrPdf;
  onChange: (format: FormatOrPdf) => void;
}

function FormatField({ choices, format, onChange }: FormatFieldProps) {
  const t = useT();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-ink-2 text-sm">{t("export.format")}</legend>
      <div className="grid grid-cols-2 gap-2">
        {choices.map((value) => (
          <label
            key={value}
            className={`touch-target relative flex cursor-pointer select-none items-baseline justify-between gap-1.5 rounded-m border px-3 py-2.5 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-ink ${value === format ? "border-ink bg-paper-2 font-[550] text-ink" : "border-rule text-ink-2"}`}
          >
            <input
              type="radio"
              name="format"
              checked={value === format}
              onChange={() => onChange(value)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {t(`export.format.${value}`)}
            <span aria-hidden="true" className="tabular font-normal text-ink-3 text-xs">
              .{value}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface IncludedPartsProps {
  parts: readonly PrintPart[];
  options: PrintOptions;
  onChange: (options: PrintOptions) => void;
}

function IncludedParts({ parts, options, onChange }: IncludedPartsProps) {
  const t = useT();
  if (parts.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-ink-2 text-sm">{t("print.include")}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {parts.map((part) => (
          <label key={part} className="touch-target flex cursor-pointer items-center gap-2">
            <input
              type="checkbox"
              checked={options[part]}
              onChange={(event) => onChange({ ...options, [part]: event.target.checked })}
              className="size-4 cursor-pointer accent-ink"
            />
            {t(`print.include.${part}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
