import { LabelledSegments } from "#client/ui/segments.tsx";
import { Switch } from "#client/ui/switch.tsx";
import type { Share, ShareMode } from "#shared/share.ts";
import { useT } from "./messages/index.ts";

export type ShareSettings = Pick<Share, "mode" | "mayCopy" | "showsSlides">;

interface ShareSettingsFieldsProps {
  settings: ShareSettings;
  /** Whether it can end with the recording. */
  hasMode: boolean;
  hasSlides: boolean;
  onChange: (change: Partial<ShareSettings>) => void;
}

/** How long a lecture is shared, and what readers may do. */
export function ShareSettingsFields({
  settings,
  hasMode,
  hasSlides,
  onChange,
}: ShareSettingsFieldsProps) {
  const t = useT();
  const { mode, mayCopy, showsSlides } = settings;
  return (
    <div className="grid gap-4">
      {hasMode ? (
        <div className="grid gap-1.5">
          <LabelledSegments<ShareMode>
            label={t("share.mode")}
            value={mode}
            options={[
              { value: "while_recording", label: t("share.modeRecording") },
              { value: "until_revoked", label: t("share.modeRevoked") },
            ]}
            onChange={(next) => onChange({ mode: next })}
          />
          {/* As high as the longer hint. */}
          <p className="min-h-[3em] text-ink-3 text-sm">
            {t(mode === "while_recording" ? "share.modeRecordingHint" : "share.modeRevokedHint")}
          </p>
        </div>
      ) : null}
      <Switch
        label={t("share.mayCopy")}
        hint={t("share.mayCopyHint")}
        checked={mayCopy}
        onChange={(next) => onChange({ mayCopy: next })}
      />
      {hasSlides ? (
        <Switch
          label={t("share.showsSlides")}
          hint={t("share.showsSlidesHint")}
          checked={showsSlides}
          onChange={(next) => onChange({ showsSlides: next })}
        />
      ) : null}
    </div>
  );
}
