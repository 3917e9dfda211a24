import { Bold, Heading, Italic, List, type LucideIcon, Quote, Underline } from "lucide-react";
import { IconButton } from "../../ui/button.tsx";
import { useTellSample } from "../tell-sample.ts";
import { type MockKey, useWords } from "../words.ts";

const formats: readonly { label: MockKey; Icon: LucideIcon }[] = [
  { label: "notes.bold", Icon: Bold },
  { label: "notes.italic", Icon: Italic },
  { label: "notes.underline", Icon: Underline },
  { label: "notes.heading", Icon: Heading },
  { label: "notes.list", Icon: List },
  { label: "notes.quote", Icon: Quote },
];

interface NotesProps {
  text: string;
  onChange: (text: string) => void;
}

/** Notes without formats: the buttons for those only tell so. */
export function Notes({ text, onChange }: NotesProps) {
  const t = useWords();
  const tellSample = useTellSample();
  return (
    <div className="grid h-full min-h-0 grid-rows-[auto_minmax(0,1fr)]">
      <fieldset className="flex flex-wrap gap-0.5 border-rule border-b px-3 py-1.5">
        <legend className="sr-only">{t("notes.formatting")}</legend>
        {formats.map(({ label, Icon }) => (
          <IconButton key={label} label={t(label)} onClick={() => tellSample(t(label))}>
            <Icon className="size-4" aria-hidden="true" />
          </IconButton>
        ))}
      </fieldset>
      <textarea
        aria-label={t("notes.field")}
        placeholder={t("notes.placeholder")}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        className="-outline-offset-2 resize-none bg-transparent px-5 py-4 text-md leading-[1.7]"
      />
    </div>
  );
}
