import { AArrowDown, AArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { useField, useValue } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import {
  changeReadingSize,
  getNextSize,
  type ReadingFace,
  readingFace,
  readingSize,
  setReadingFace,
  storeDiarization,
  storeMicrophone,
} from "#client/state/preferences.ts";
import { IconButton } from "#client/ui/button.tsx";
import { Dialog } from "#client/ui/dialog.tsx";
import { Segments } from "#client/ui/segments.tsx";
import { Select } from "#client/ui/select.tsx";
import { Switch } from "#client/ui/switch.tsx";
import { useT } from "./dialog-messages/index.ts";

interface SettingsDialogProps {
  session: RecordingSession;
  open: boolean;
  onClose: () => void;
}

export function SettingsDialog({ session, open, onClose }: SettingsDialogProps) {
  const t = useT();
  const diarization = useField(session.view, "diarization");
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("settings.title")}
      closeLabel={t("common.close")}
    >
      <div className="grid gap-5">
        <Switch
          label={t("settings.diarization")}
          hint={t("settings.diarizationHint")}
          checked={diarization}
          onChange={(on) => {
            storeDiarization(on);
            session.setDiarization(on);
          }}
        />
        <Microphone session={session} />
        <hr className="border-rule" />
        <ReadingSize />
        <Face />
      </div>
    </Dialog>
  );
}

/** The option for the system's default; the other options are device ids. */
const systemDefault = "default-of-the-system";

function Microphone({ session }: { session: RecordingSession }) {
  const t = useT();
  const selectedId = useField(session.view, "microphoneId");
  const microphones = useValue(session.microphones);
  // A chosen microphone that was unplugged is shown as missing.
  const isMissing = selectedId !== null && !microphones.some(({ id }) => id === selectedId);
  const haveNames = microphones.some(({ label }) => label !== "");
  return (
    <div className="grid gap-1.5">
      <span className="font-medium">{t("settings.microphone")}</span>
      <Select
        label={t("settings.microphone")}
        value={selectedId ?? systemDefault}
        options={[
          { value: systemDefault, label: t("settings.microphoneDefault") },
          ...microphones.map(({ id, label }, index) => ({
            value: id,
            label: label || t("settings.microphoneNumber", { number: index + 1 }),
          })),
          ...(isMissing ? [{ value: selectedId, label: t("settings.microphoneGone") }] : []),
        ]}
        onChange={(value) => {
          const id = value === systemDefault ? null : value;
          storeMicrophone(id);
          session.setMicrophone(id);
        }}
        className="w-full justify-between"
      />
      <span className="text-ink-3 text-sm">
        {t(haveNames ? "settings.microphoneHint" : "settings.microphoneNames")}
      </span>
    </div>
  );
}

function SettingRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4">
      <span className="font-medium">{label}</span>
      {children}
    </div>
  );
}

function ReadingSize() {
  const t = useT();
  const size = useValue(readingSize);
  return (
    <SettingRow label={t("settings.size")}>
      <div className="flex items-center">
        <IconButton
          label={t("record.textSmaller")}
          disabled={getNextSize(size, -1) === null}
          onClick={() => changeReadingSize(-1)}
        >
          <AArrowDown className="size-4.5" aria-hidden="true" />
        </IconButton>
        <output className="tabular min-w-8 text-center text-ink-2">{size}</output>
        <IconButton
          label={t("record.textLarger")}
          disabled={getNextSize(size, 1) === null}
          onClick={() => changeReadingSize(1)}
        >
          <AArrowUp className="size-4.5" aria-hidden="true" />
        </IconButton>
      </div>
    </SettingRow>
  );
}

function Face() {
  const t = useT();
  const face = useValue(readingFace);
  return (
    <SettingRow label={t("settings.face")}>
      <Segments<ReadingFace>
        label={t("settings.face")}
        value={face}
        options={[
          { value: "sans", label: t("settings.sans") },
          { value: "serif", label: t("settings.serif"), className: "font-reading" },
        ]}
        onChange={setReadingFace}
      />
    </SettingRow>
  );
}
