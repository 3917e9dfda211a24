import { useT } from "#client/features/mock/messages/index.ts";
import { PageHead } from "#client/features/mock/page-head.tsx";
import { BackToRecord } from "#client/features/mock/placeholder.tsx";
import { Shell } from "#client/features/mock/shell/shell.tsx";
import { ChatView } from "./chat-view.tsx";

export function AssistantPage() {
  const t = useT();
  return (
    <Shell title="mock.title.assistant">
      <main id="content" className="min-h-0 min-w-0">
        <div className="mx-auto grid h-full max-w-180 grid-rows-[auto_minmax(0,1fr)] px-1 pt-8 max-sm:px-0 max-sm:pt-5">
          <div className="px-5 pb-4 max-sm:px-4.5">
            <PageHead title={t("mock.assistant.title")} text={t("mock.assistant.text")}>
              <BackToRecord size="small" />
            </PageHead>
          </div>
          <ChatView />
        </div>
      </main>
    </Shell>
  );
}
