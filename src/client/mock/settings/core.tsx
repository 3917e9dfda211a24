import { useValue } from "../../lib/signal.ts";
import { Segments } from "../../ui/segments.tsx";
import { useWords } from "../words.ts";
import { Row } from "./row.tsx";
import { changeSettings, type NoteFormat, settings } from "./settings.ts";

/** How notes are handed out. */
export function Core() {
  const t = useWords();
  const { noteFormat } = useValue(settings);
  return (
    <Row title={t("settings.noteFormat")} text={t("settings.noteFormatHint")}>
      <Segments<NoteFormat>
        label={t("settings.noteFormat")}
        value={noteFormat}
        options={[
          { value: "pdf", label: t("settings.pdf") },
          { value: "word", label: t("settings.word") },
        ]}
        onChange={(next) => changeSettings({ noteFormat: next })}
      />
    </Row>
  );
}
