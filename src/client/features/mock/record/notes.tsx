import { Bold, Heading, Italic, List, type LucideIcon, Quote, Underline } from "lucide-react";
import { type MessageKey, useT } from "#client/features/mock/messages/index.ts";
import { useNotifySample } from "#client/features/mock/notify-sample.ts";
import { IconButton } from "#client/ui/button.tsx";

const formats: readonly { label: MessageKey; Icon: LucideIcon }[] = [
  { label: "mock.notes.bold", Icon: Bold },
  { label: "mock.notes.italic", Icon: Italic },
  { label: "mock.notes.underline", Icon: Underline },
  { label: "mock.notes.heading", Icon: Heading },
  { label: "mock.notes.list", Icon: List },
  { label: "mock.notes.quote", Icon: Quote },
];

interface NotesProps {
  text: string;
  onChange: (text: string) => void;
}

/** Plain-text notes: the format buttons only say that they are samples. */
export function Notes({ text, onChange }: NotesProps) {
  const t = useT();
  const notifySample = useNotifySample();
  return (
    <div className="grid h-full min-h-0 grid-rows-[auto_minmax(0,1fr)]">
      <fieldset className="flex flex-wrap gap-0.5 border-rule border-b px-3 py-1.5">
        <legend className="sr-only">{t("mock.notes.formatting")}</legend>
        {formats.map(({ label, Icon }) => (
          <IconButton key={label} label={t(label)} onClick={() => notifySample(t(label))}>
            <Icon className="size-4" aria-hidden="true" />
          </IconButton>
        ))}
      </fieldset>
      <textarea
        aria-label={t("mock.notes.field")}
        placeholder={t("mock.notes.placeholder")}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        className="-outline-offset-2 resize-none bg-transparent px-5 py-4 text-md leading-[1.7]"
      />
    </div>
  );
}
