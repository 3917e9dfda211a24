import { useT } from "#client/i18n/sound/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import {
  changeKeepSound,
  isStoragePersistent,
  keepSoundSetting,
} from "#client/state/keep-sound-setting.ts";
import { Switch } from "#client/ui/switch.tsx";

/** The setting of this device that keeps the sound of recordings. */
export default function KeepSoundSwitch() {
  const t = useT();
  const isOn = useValue(keepSoundSetting) === true;
  const isPersistent = useValue(isStoragePersistent);
  return (
    <div className="grid gap-1">
      <Switch
        label={t("sound.keep")}
        hint={t("sound.keepHint")}
        checked={isOn}
        onChange={(on) => void changeKeepSound(on)}
      />
      {isOn && isPersistent === false ? (
        <p role="status" className="text-ink-3 text-sm">
          {t("sound.notPersistent")}
        </p>
      ) : null}
    </div>
  );
}
