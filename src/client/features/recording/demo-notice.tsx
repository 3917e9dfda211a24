import { api, DataProvider } from "#client/state/queries.tsx";
import { useT } from "./messages/index.ts";

export default function DemoNotice() {
  return (
    <DataProvider>
      <Notice />
    </DataProvider>
  );
}

function Notice() {
  const t = useT();
  const { data } = api.site.info.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });
  if (!data || !(data.standIns.speech || data.standIns.llm)) return null;
  return (
    <aside className="flex flex-wrap gap-x-5 border-rule border-b bg-paper-2 px-7 py-1.5 text-ink-2 text-xs max-book:px-4">
      {data.standIns.speech ? <span>{t("record.demoSpeech")}</span> : null}
      {data.standIns.llm ? <span>{t("record.demoLlm")}</span> : null}
    </aside>
  );
}
