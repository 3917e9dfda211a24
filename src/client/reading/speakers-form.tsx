import { useId, useRef, useState } from "react";
import type { TranscriptView } from "#client/lecture/lecture-document.ts";
import { formatSpeaker, SpeakerTag } from "#client/ui/bilingual.tsx";
import { SubmitButtons } from "#client/ui/dialog.tsx";
import { inputClass } from "#client/ui/text-field.tsx";
import { speakerNameMaxLength } from "#shared/limits.ts";
import { useT } from "./dialog-messages/index.ts";
import { type LectureFormProps, useOnLoading } from "./reading-state.ts";

interface SpeakersFormProps extends LectureFormProps {
  /** The speaker whose name takes the focus. */
  first: string | null;
}

/** Saves the names with its button, and when another lecture is being opened. */
export function SpeakersForm({ lecture, first, onClose }: SpeakersFormProps) {
  const t = useT();
  const id = useId();
  const box = useRef<HTMLFormElement>(null);
  const [speakers] = useState(() => listSpeakers(lecture.transcript));
  const [initialNames] = useState(() => lecture.view.get().speakerNames);

  function save() {
    onClose();
    if (!box.current) return;
    const form = new FormData(box.current);
    for (const speaker of speakers) {
      const name = String(form.get(speaker)).trim();
      // Another device may have named the others meanwhile.
      if (name !== (initialNames[speaker] ?? "")) lecture.renameSpeaker(speaker, name);
    }
  }

  useOnLoading(lecture, save);

  if (speakers.length === 0) return <p className="text-ink-2">{t("speakers.none")}</p>;
  return (
    <form
      ref={box}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      className="flex flex-col gap-5"
    >
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2 gap-y-2.5">
        {speakers.map((speaker) => (
          <div key={speaker} className="contents">
            <label htmlFor={`${id}-${speaker}`}>
              <span className="sr-only">
                {t("speakers.name", { speaker: formatSpeaker(speaker) })}
              </span>
              <span aria-hidden="true">
                <SpeakerTag speaker={speaker} />
              </span>
            </label>
            <input
              id={`${id}-${speaker}`}
              // biome-ignore lint/a11y/noAutofocus: the dialog was opened for this speaker
              autoFocus={speaker === first}
              name={speaker}
              defaultValue={initialNames[speaker]}
              maxLength={speakerNameMaxLength}
              autoComplete="off"
              className={inputClass}
            />
          </div>
        ))}
      </div>
      <SubmitButtons label={t("reading.save")} onCancel={onClose} />
    </form>
  );
}

/** The lecture's speakers, in the order in which they first spoke. */
export const listSpeakers = (transcript: TranscriptView): string[] => [
  ...new Set(transcript.rows().flatMap(({ speaker }) => speaker ?? [])),
];
