import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { SettingsRow } from "#client/features/account/settings-section.tsx";
import ExportDialog from "#client/features/export/export-dialog.tsx";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { fileMessages, useT } from "#client/i18n/export-import/index.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";

export { SoundSettings, SpeechSettings } from "#client/features/recording/settings.tsx";

/** The messages of the parts of the settings that are here. */
export const loadMessages = async (): Promise<void> => {
  await Promise.all([dialogMessages.load(), fileMessages.load()]);
};

/** What is stored of a user besides the sound: everything in one file, and the trash. */
export function StorageRows() {
  const t = useT();
  const [isExporting, setExporting] = useState(false);
  return (
    <>
      <SettingsRow title={t("export.titleAll")} text={t("export.allText")}>
        <Button onClick={() => setExporting(true)}>{t("export.titleAll")}</Button>
      </SettingsRow>
      <SettingsRow title={t("trash.title")}>
        <Link to="/trash" className={getButtonClass()}>
          {t("export.openTrash")}
        </Link>
      </SettingsRow>
      {isExporting ? (
        <ExportDialog target={{ kind: "everything" }} onClose={() => setExporting(false)} />
      ) : null}
    </>
  );
}
