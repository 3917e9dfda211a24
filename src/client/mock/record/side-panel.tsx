import { useState } from "react";
import { Tabs } from "../../ui/tabs.tsx";
import { ChatView } from "../chat/chat-view.tsx";
import { useWords } from "../words.ts";
import { Notes } from "./notes.tsx";

type Part = "chat" | "notes";

/** Beside the recording: the assistant, and one's own notes. */
export function SidePanel() {
  const t = useWords();
  const [part, setPart] = useState<Part>("chat");
  const [notes, setNotes] = useState("");
  return (
    <aside
      aria-label={t("panel.label")}
      className="min-h-0 border-rule bg-paper-2 max-desk:h-130 max-desk:border-t desk:border-l"
    >
      <Tabs<Part>
        fill
        width="even"
        label={t("panel.label")}
        value={part}
        onChange={setPart}
        tabs={[
          { value: "chat", label: t("panel.chat"), panel: <ChatView /> },
          {
            value: "notes",
            label: t("panel.notes"),
            panel: <Notes text={notes} onChange={setNotes} />,
          },
        ]}
      />
    </aside>
  );
}
