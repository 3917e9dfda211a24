import { type FormEvent, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/export-import/index.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import { formatClock } from "#client/lib/dates.ts";
import type { TextEncoding } from "#client/lib/text-encodings.ts";
import { getStoredTargetLanguage } from "#client/state/preferences.ts";
import { SubmitButtons } from "#client/ui/dialog.tsx";
import { EncodingField } from "#client/ui/encoding-field.tsx";
import { SpokenField, TargetField } from "#client/ui/language-fields.tsx";
import { Switch } from "#client/ui/switch.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import {
  getLanguageName,
  type SpokenLanguage,
  spokenLanguages,
  type TargetLanguage,
  toSpokenLanguage,
} from "#shared/languages.ts";
import type { ImportedRow } from "./imported-rows.ts";
import { type ImportedFile, swapLanguages, titleMaxLength } from "./read-file.ts";
import type { ImportJob } from "./store-lecture.ts";

interface ImportPreviewProps {
  file: ImportedFile;
  /** Reads the file again. */
  onEncoding: (encoding: TextEncoding) => void;
  onAnother: () => void;
  onImport: (settings: Omit<ImportJob, "id" | "folderId">) => void;
}

export function ImportPreview({ file, onEncoding, onAnother, onImport }: ImportPreviewProps) {
  const t = useT();
  const nameTarget = useTargetName();
  const [title, setTitle] = useState(file.title);
  const [both, setBoth] = useState(file.bilingual !== null);
  const [targetLanguage, setTargetLanguage] = useState<TargetLanguage>(getStoredTargetLanguage);
  const [spoken, setSpoken] = useState(file.sourceLanguage);
  const locale = useLanguage();
  const nameSpoken = (one: SpokenLanguage) => getLanguageName(one, locale);
  const pair = both ? file.bilingual : null;
  const bilingual = pair && spoken === toSpokenLanguage(pair.language) ? swapLanguages(pair) : pair;
  const rows = bilingual?.rows ?? file.single;
  const language = bilingual?.language ?? targetLanguage;
  const sourceLanguage = bilingual?.sourceLanguage ?? spoken;
  const spokenChoices = pair
    ? [pair.sourceLanguage, toSpokenLanguage(pair.language)]
    : spokenLanguages;

  function submit(event: FormEvent) {
    event.preventDefault();
    onImport({
      title: title.trim() || file.title || t("home.untitled"),
      sourceLanguage,
      targetLanguage: language,
      translatedInto: bilingual?.language ?? null,
      hasDemoText: file.hasDemoText,
      rows,
    });
  }

  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-5">
      <TextField
        label={t("import.name")}
        value={title}
        maxLength={titleMaxLength}
        autoComplete="off"
        placeholder={t("home.untitled")}
        onChange={(event) => setTitle(event.target.value)}
      />
      <RowsPreview rows={rows} />
      {file.otherEncodings.length > 0 ? (
        <EncodingField
          label={t("import.encoding")}
          value={file.encoding}
          others={file.otherEncodings}
          onChange={onEncoding}
        />
      ) : null}
      {file.bilingual ? (
        <Switch
          label={t("import.bilingual")}
          hint={t("import.bilingualHint", {
            source: nameSpoken(sourceLanguage),
            language: nameTarget(bilingual?.language ?? file.bilingual.language),
          })}
          checked={both}
          onChange={setBoth}
        />
      ) : null}
      <SpokenField
        label={t("import.spoken")}
        value={sourceLanguage}
        languages={spokenChoices}
        onChange={setSpoken}
      />
      {bilingual ? null : (
        <TargetField
          label={t("import.language")}
          value={targetLanguage}
          spoken={sourceLanguage}
          onChange={setTargetLanguage}
        />
      )}
      {file.problemCount > 0 ? <Problems file={file} /> : null}
      <SubmitButtons
        label={t("import.confirm")}
        cancelLabel={t("import.another")}
        onCancel={onAnother}
      />
    </form>
  );
}

function RowsPreview({ rows }: { rows: readonly ImportedRow[] }) {
  const t = useT();
  const lengthMs = rows.reduce((latest, row) => Math.max(latest, row.endMs), 0);
  const speakers = new Set(rows.map((row) => row.speaker).filter((name) => name !== null)).size;
  const facts = [
    t("import.rows", { count: rows.length }),
    ...(lengthMs > 0 ? [t("import.length", { time: formatClock(lengthMs / 1000) })] : []),
    ...(speakers > 0 ? [t("import.speakers", { count: speakers })] : []),
  ];
  return (
    <div className="grid min-w-0 gap-1.5">
      <p role="status" className="tabular text-ink-2 text-sm">
        {facts.join(" · ")}
      </p>
      <ul className="grid gap-1.5 rounded-m bg-paper-2 px-3.5 py-2.5 text-sm">
        {rows.slice(0, 3).map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no id
          <li key={index} className="min-w-0">
            <p className="line-clamp-2 wrap-anywhere">{row.original}</p>
            {row.translated ? (
              <p dir="auto" className="line-clamp-2 text-ink-2 wrap-anywhere">
                {row.translated}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Problems({ file: { problems, problemCount } }: { file: ImportedFile }) {
  const t = useT();
  return (
    <details className="min-w-0 text-sm" open={problemCount <= 3}>
      <summary className="cursor-pointer text-ink-2">
        {t("import.problems", { count: problemCount })}
      </summary>
      <ul className="mt-2 grid max-h-40 grid-cols-[auto_1fr] gap-x-3 gap-y-1 overflow-y-auto rounded-m bg-paper-2 px-3.5 py-2.5">
        {problems.map(({ line, kind }) => (
          <li key={`${line} ${kind}`} className="col-span-2 grid grid-cols-subgrid">
            <span className="tabular text-ink-3">{t("import.line", { line })}</span>
            {t(`import.problem.${kind}`)}
          </li>
        ))}
      </ul>
    </details>
  );
}
