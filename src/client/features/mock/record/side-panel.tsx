import { useState } from "react";
import { ChatView } from "#client/features/mock/chat/chat-view.tsx";
import { useT } from "#client/features/mock/messages/index.ts";
import { Tabs } from "#client/ui/tabs.tsx";
import { Notes } from "./notes.tsx";

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
