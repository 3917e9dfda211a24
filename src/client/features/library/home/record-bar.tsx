import { ArrowRight, Upload } from "lucide-react";
import { useState } from "react";
import { RecordLink } from "#client/features/library/record-link.tsx";
import { sidebarMessages } from "#client/features/library/sidebar/messages/index.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import { languageMessages } from "#client/i18n/languages/index.ts";
import { useT } from "#client/i18n/library/index.ts";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { getStoredLanguages } from "#client/state/preferences.ts";
import { getLanguageName, type LanguagePair } from "#shared/languages.ts";

const LanguagesDialog = lazyPart(
  () => import("./languages-dialog.tsx"),
  sidebarMessages,
  languageMessages,
);

interface RecordBarProps {
  /** The folder in which the lecture is created. */
  folderId: string | null | undefined;
  /** Lets the person choose files. */
  onImport: () => void;
}

/** How a lecture begins: at the top of the page, on a phone at its foot. */
export function RecordBar({ folderId, onImport }: RecordBarProps) {
  const t = useT();
  const [pair, setPair] = useState(getStoredLanguages);
  const [isOpen, setOpen] = useState(false);
  const loadDialog = useLatch(isOpen);
  return (
    <section
      aria-label={t("home.newRecording")}
      data-record-foot
      className="flex items-center gap-x-4 gap-y-2 rounded-l border border-rule bg-sheet p-4 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-2 max-sm:justify-between max-sm:rounded-none max-sm:border-x-0 max-sm:border-b-0 max-sm:bg-paper max-sm:px-4 max-sm:py-2 max-sm:pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:flex-wrap book:col-start-2"
    >
      <RecordLink folderId={folderId} isLarge />
      <PairButton pair={pair} onClick={() => setOpen(true)} />
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onImport}
        className="touch-target ml-auto inline-flex h-10 items-center gap-2.5 rounded-m px-3 font-[550] text-base text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink max-sm:hidden"
      >
        <Upload className="size-4" />
        {t("home.import")}
      </button>
      {loadDialog ? (
        <LanguagesDialog
          open={isOpen}
          pair={pair}
          onChange={setPair}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </section>
  );
}

function PairButton({ pair, onClick }: { pair: LanguagePair; onClick: () => void }) {
  const t = useT();
  const language = useLanguage();
  const nameTarget = useTargetName();
  const { sourceLanguage, targetLanguage } = pair;
  const source =
    sourceLanguage === "detect" ? t("home.detect") : getLanguageName(sourceLanguage, language);
  const target = nameTarget(targetLanguage);
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={t("home.languages", { source, target })}
      onClick={onClick}
      className="touch-target -ml-1 inline-flex min-h-10 min-w-0 flex-wrap items-center gap-x-2 rounded-m px-3 text-left font-[550] text-ink-2 text-sm leading-tight transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink max-sm:order-first max-sm:-ml-3"
    >
      <span>{source}</span>
      <ArrowRight className="size-3.5 shrink-0 rtl:rotate-180" aria-hidden="true" />
      <span>{target}</span>
    </button>
  );
}
