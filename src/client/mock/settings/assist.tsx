import { useValue } from "../../lib/signal.ts";
import { Switch } from "../../ui/switch.tsx";
import { useWords } from "../words.ts";
import { changeSettings, settings } from "./settings.ts";

/** What is done for whoever learns. */
export function Assist() {
  const t = useWords();
  const { courseReminder, noteGeneration } = useValue(settings);
  return (
    <div className="grid gap-5">
      <Switch
        label={t("settings.courseReminder")}
        hint={t("settings.courseReminderHint")}
        checked={courseReminder}
        onChange={(on) => changeSettings({ courseReminder: on })}
      />
      <hr className="border-rule" />
      <Switch
        label={t("settings.noteGeneration")}
        hint={t("settings.noteGenerationHint")}
        checked={noteGeneration}
        onChange={(on) => changeSettings({ noteGeneration: on })}
      />
    </div>
  );
}
