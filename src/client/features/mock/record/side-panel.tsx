import { Bold, Heading, Italic, List, type LucideIcon, Quote, Underline } from "lucide-react";
import { useState } from "react";
import { ChatView } from "#client/features/mock/chat/chat-view.tsx";
import { type MessageKey, useT } from "#client/features/mock/messages/index.ts";
import { useNotifySample } from "#client/features/mock/sample.ts";
import { IconButton } from "#client/ui/button.tsx";
import { Tabs } from "#client/ui/tabs.tsx";

type Part = "chat" | "notes";

export function SidePanel() {
  const t = useT();
  const [part, setPart] = useState<Part>("chat");
  const [notes, setNotes] = useState("");
  return (
    <aside
      aria-label={t("mock.panel.label")}
      className="min-h-0 border-rule bg-paper-2 max-desk:h-130 max-desk:border-t desk:border-l"
    >
      <Tabs<Part>
        fill
        width="even"
        label={t("mock.panel.label")}
        value={part}
        onChange={setPart}
        tabs={[
          { value: "chat", label: t("mock.panel.chat"), panel: <ChatView /> },
          {
            value: "notes",
            label: t("mock.panel.notes"),
            panel: <Notes text={notes} onChange={setNotes} />,
          },
        ]}
      />
    </aside>
  );
}

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
function Notes({ text, onChange }: NotesProps) {
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
