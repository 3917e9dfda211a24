import type { Sides } from "#client/features/export/lecture-document.ts";
import { useT } from "#client/i18n/export-import/index.ts";
import { LabelledSegments } from "#client/ui/segments.tsx";
import { type Layout, layouts, type PrintOptions } from "./print-search.ts";

interface PrintFieldsProps {
  sides: Sides;
  options: PrintOptions;
  onChange: (options: PrintOptions) => void;
}

export function PrintFields({ sides, options, onChange }: PrintFieldsProps) {
  const t = useT();
  return (
    <>
      {sides === "both" ? (
        <LabelledSegments<Layout>
          label={t("print.layout")}
          value={options.layout}
          options={layouts.map((value) => ({ value, label: t(`print.layout.${value}`) }))}
          onChange={(layout) => onChange({ ...options, layout })}
        />
      ) : null}
      <fieldset>
        <legend className="mb-1.5 font-medium text-ink-2 text-sm">{t("print.include")}</legend>
        <div className="flex flex-wrap gap-x-6 gap-y-1">
          {(["times", "speakers", "summary", "marks"] as const).map((part) => (
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
    </>
  );
}
