import { useT } from "#client/features/library/sidebar/messages/index.ts";
import { useT as useLanguagesT } from "#client/i18n/languages/index.ts";
import { storeLanguages } from "#client/state/preferences.ts";
import { recordingSession } from "#client/state/recording.ts";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { SourceField, TargetField } from "#client/ui/language-fields.tsx";
import { Switch } from "#client/ui/switch.tsx";
import { canBeTwoWay, type LanguagePair } from "#shared/languages.ts";

interface LanguagesDialogProps {
  open: boolean;
  pair: LanguagePair;
  onChange: (pair: LanguagePair) => void;
  onClose: () => void;
}

/** The languages of new recordings. */
export default function LanguagesDialog({ open, pair, onChange, onClose }: LanguagesDialogProps) {
  const t = useT();
  const l = useLanguagesT();
  const { sourceLanguage, targetLanguage, isTwoWay } = pair;

  function change(part: Partial<LanguagePair>) {
    const next = { ...pair, ...part };
    const changed = { ...next, isTwoWay: next.isTwoWay && canBeTwoWay(next) };
    storeLanguages(changed);
    // A recording page that was left without a lecture has the languages of before.
    const session = recordingSession.get();
    if (session?.view.get().lecture === null) session.lecture.get().setLanguages(changed);
    onChange(changed);
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={l("language.pair")}
      description={t("home.languagesHint")}
    >
      <div className="grid gap-4">
        <SourceField
          label={l("language.source")}
          value={sourceLanguage}
          detectLabel={l("language.detect")}
          onChange={(next) => change({ sourceLanguage: next })}
        />
        <TargetField
          label={t("home.translateInto")}
          value={targetLanguage}
          spoken={sourceLanguage}
          onChange={(next) => change({ targetLanguage: next })}
        />
        {canBeTwoWay(pair) ? (
          <Switch
            label={t("home.twoWay")}
            hint={t("home.twoWayHint")}
            checked={isTwoWay}
            onChange={(next) => change({ isTwoWay: next })}
          />
        ) : null}
      </div>
      <div className={footerClass}>
        <Button look="ink" onClick={onClose}>
          {t("home.done")}
        </Button>
      </div>
    </Dialog>
  );
}
