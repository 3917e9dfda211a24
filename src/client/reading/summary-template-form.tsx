import { useEffect, useState } from "react";
import { callServer } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { trpc } from "#client/state/trpc.ts";
import { Button } from "#client/ui/button.tsx";
import { footerClass } from "#client/ui/dialog.tsx";
import { GrowingTextarea } from "#client/ui/growing-textarea.tsx";
import { summaryInstructionsMaxLength } from "#shared/limits.ts";
import { type SummaryTemplate, summaryTemplates } from "#shared/summary-template.ts";
import { useT } from "./dialog-messages/index.ts";

interface SummaryTemplateFormProps {
  /** A summary is there, which is replaced. */
  replaces: boolean;
  onCancel: () => void;
  onGenerate: (template: SummaryTemplate) => void;
}

/** By which template a summary is written. The person's own instructions are kept in their profile. */
export function SummaryTemplateForm({ replaces, onCancel, onGenerate }: SummaryTemplateFormProps) {
  const t = useT();
  const [template, setTemplate] = useState<SummaryTemplate>("lecture");
  const own = useInstructions(template === "own");
  const isBlank = own.text === null || own.text.trim() === "";
  const [isBusy, run] = useBusy();
  const [failure, setFailure] = useState<string | null>(null);

  async function generate() {
    setFailure(null);
    try {
      if (template === "own") await run(own.save);
      onGenerate(template);
    } catch (cause) {
      setFailure(getErrorMessage(cause));
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void generate();
      }}
      className="flex flex-col gap-4"
    >
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 font-medium text-ink-2 text-sm">{t("summary.template")}</legend>
        {summaryTemplates.map((value) => (
          <label
            key={value}
            className={`relative grid min-h-11 cursor-pointer content-center rounded-m border px-3 py-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 has-focus-visible:outline-2 has-focus-visible:outline-ink ${template === value ? "border-ink bg-paper-2" : "border-rule"}`}
          >
            <input
              type="radio"
              name="template"
              aria-label={t(`summary.template.${value}`)}
              checked={template === value}
              onChange={() => setTemplate(value)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <span className={template === value ? "font-[550]" : ""}>
              {t(`summary.template.${value}`)}
            </span>
            <span className="text-pretty text-ink-3 text-sm">
              {t(`summary.template.${value}Text`)}
            </span>
          </label>
        ))}
      </fieldset>
      {template === "own" ? (
        <GrowingTextarea
          aria-label={t("summary.instructions")}
          placeholder={t("summary.instructionsHint")}
          rows={4}
          value={own.text ?? ""}
          disabled={own.text === null}
          maxLength={summaryInstructionsMaxLength}
          dir="auto"
          onChange={(event) => own.setText(event.target.value)}
          className="max-h-60 min-h-24 resize-none rounded-m border border-rule-control bg-sheet px-3.5 py-2.5 text-md transition-colors duration-150 ease-quiet hover:border-rule-strong disabled:opacity-60"
        />
      ) : null}
      {failure || own.failure ? (
        <p role="alert" className="text-sm text-warn">
          {failure ?? own.failure}
        </p>
      ) : null}
      {replaces ? <p className="text-pretty text-ink-2">{t("summary.replaceText")}</p> : null}
      <div className={footerClass}>
        <Button disabled={isBusy} onClick={onCancel}>
          {t("common.cancel")}
        </Button>
        <Button
          type="submit"
          look={replaces ? "danger" : "ink"}
          disabled={isBusy || (template === "own" && isBlank)}
        >
          {t(replaces ? "summary.replace" : "summary.generate")}
        </Button>
      </div>
    </form>
  );
}

/** The person's instructions, read when they are needed. `text` null: not read yet. */
function useInstructions(isNeeded: boolean) {
  const [stored, setStored] = useState<string | null>(null);
  const [typed, setText] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isMissing = isNeeded && stored === null;
  useEffect(() => {
    if (!isMissing) return;
    const work = new AbortController();
    const { signal } = work;
    setFailure(null);
    callServer(() => trpc.profiles.summaryInstructions.query(undefined, { signal }), signal).then(
      setStored,
      (cause: unknown) => {
        if (!signal.aborted) setFailure(getErrorMessage(cause));
      },
    );
    return () => work.abort();
  }, [isMissing]);
  const text = typed ?? stored;

  async function save() {
    const instructions = text?.trim() ?? "";
    if (instructions === stored) return;
    await callServer(() => trpc.profiles.setSummaryInstructions.mutate({ instructions }));
  }

  return { text, setText, failure, save };
}
