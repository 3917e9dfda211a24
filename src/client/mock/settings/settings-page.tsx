import { type ReactNode, useState } from "react";
import { Tabs } from "../../ui/tabs.tsx";
import { PageHead } from "../page-head.tsx";
import { BackToRecord } from "../placeholder.tsx";
import { Column, Shell } from "../shell/shell.tsx";
import { useWords } from "../words.ts";
import { Assist } from "./assist.tsx";
import { Core } from "./core.tsx";
import { Exit } from "./exit.tsx";
import { Personal } from "./personal.tsx";
import { Related } from "./related.tsx";

const parts = ["personal", "core", "assist", "related", "exit"] as const;
type Part = (typeof parts)[number];

const panels: Record<Part, ReactNode> = {
  personal: <Personal />,
  core: <Core />,
  assist: <Assist />,
  related: <Related />,
  exit: <Exit />,
};

/** Settings of the mock-up. Only the language and the theme outlast the page. */
export function SettingsPage() {
  const t = useWords();
  const [part, setPart] = useState<Part>("personal");
  return (
    <Shell title="title.settings">
      <Column>
        <div className="mx-auto max-w-170">
          <PageHead title={t("settings.title")} text={t("settings.text")}>
            <BackToRecord size="small" />
          </PageHead>
          <div className="mt-6">
            <Tabs<Part>
              label={t("settings.tabs")}
              value={part}
              onChange={setPart}
              tabs={parts.map((value) => ({
                value,
                label: t(`settings.${value}`),
                panel: panels[value],
              }))}
            />
          </div>
        </div>
      </Column>
    </Shell>
  );
}
