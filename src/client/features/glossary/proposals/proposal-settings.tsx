import { useState } from "react";
import type { FileText } from "#client/features/glossary/files/file-text.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { getStoredSourceLanguage, getStoredTargetLanguage } from "#client/state/preferences.ts";
import { SubmitButtons } from "#client/ui/dialog.tsx";
import { SpokenField, TargetField } from "#client/ui/language-fields.tsx";
import { Labelled } from "#client/ui/segments.tsx";
import { detectSpokenLanguage } from "#shared/detect-language.ts";
import {
  isSpokenLanguage,
  type SpokenLanguage,
  type TargetLanguage,
  toSpokenLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";
import { FolderSelect } from "./folder-select.tsx";
import type { Languages } from "./frequency-run.ts";
import { useT } from "./messages/index.ts";

interface ProposalSettingsProps {
  text: FileText;
  hasModel: boolean;
  folderId: string | null;
  setFolderId: (folderId: string | null) => void;
  onAnother: () => void;
  onPropose: (languages: Languages) => void;
}

/** What is known of a file that was read, and where its terms go. */
export function ProposalSettings(props: ProposalSettingsProps) {
  const { text, hasModel, folderId, setFolderId, onAnother, onPropose } = props;
  const t = useT();
  const { tree } = useFolderTree();
  const [language, setLanguage] = useState(() => detectLanguage(text));
  const [targetLanguage, setTarget] = useState(() => selectTarget(language));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onPropose({ language, targetLanguage });
      }}
      className="flex min-w-0 flex-col gap-5"
    >
      <p role="status" className="tabular text-ink-2">
        {t(`proposals.found.${text.unit}`, { count: text.pages.length })}
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <SpokenField label={t("proposals.language")} value={language} onChange={setLanguage} />
        <TargetField
          label={t("proposals.target")}
          value={targetLanguage}
          spoken={language}
          onChange={setTarget}
        />
        <Labelled label={t("proposals.folder")} className="sm:col-span-2">
          <FolderSelect
            label={t("proposals.folder")}
            tree={tree}
            folderId={folderId}
            onChange={setFolderId}
          />
        </Labelled>
      </div>
      <p className="text-pretty text-ink-2 text-sm">
        {t(hasModel ? "proposals.sent" : "proposals.notSent")}
      </p>
      <SubmitButtons
        label={t("proposals.propose")}
        cancelLabel={t("proposals.another")}
        onCancel={onAnother}
      />
    </form>
  );
}

function detectLanguage({ pages }: FileText): SpokenLanguage {
  // The beginning may be a title in another language.
  const middle = Math.floor(pages.length / 3);
  const sample = [...pages.slice(middle), ...pages.slice(0, middle)].slice(0, 40);
  return detectSpokenLanguage(sample.map(({ text }) => text).join("\n"));
}

/** What the person reads lectures in; for a text in that language, what they are spoken in. */
function selectTarget(language: SpokenLanguage): TargetLanguage {
  const target = getStoredTargetLanguage();
  if (target === "none" || toSpokenLanguage(target) !== language) return target;
  const source = getStoredSourceLanguage();
  const isOther = isSpokenLanguage(source) && source !== language;
  return isOther ? toTranslationLanguage(source) : "none";
}
