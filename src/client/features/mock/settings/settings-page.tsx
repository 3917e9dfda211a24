import { Link } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { useNotifySample } from "#client/features/mock/notify-sample.ts";
import { PageHead } from "#client/features/mock/page-head.tsx";
import { BackToRecord } from "#client/features/mock/placeholder.tsx";
import { Column, Shell } from "#client/features/mock/shell/shell.tsx";
import { useValue } from "#client/lib/signal.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { Segments } from "#client/ui/segments.tsx";
import { Switch } from "#client/ui/switch.tsx";
import { Tabs } from "#client/ui/tabs.tsx";
import { Personal } from "./personal.tsx";
import { Row } from "./row.tsx";
import { changeSettings, type NoteFormat, settings } from "./settings.ts";

const parts = ["personal", "core", "assist", "related", "exit"] as const;
type Part = (typeof parts)[number];

const panels: Record<Part, ReactNode> = {
  personal: <Personal />,
  core: <Core />,
  assist: <Assist />,
  related: <Related />,
  exit: <Exit />,
};

/** Settings of the mock-up. Only the language and the theme are stored. */
export function SettingsPage() {
  const t = useT();
  const [part, setPart] = useState<Part>("personal");
  return (
    <Shell title="mock.title.settings">
      <Column>
        <div className="mx-auto max-w-170">
          <PageHead title={t("mock.settings.title")} text={t("mock.settings.text")}>
            <BackToRecord size="small" />
          </PageHead>
          <div className="mt-6">
            <Tabs<Part>
              label={t("mock.settings.tabs")}
              value={part}
              onChange={setPart}
              tabs={parts.map((value) => ({
                value,
                label: t(`mock.settings.${value}`),
                panel: panels[value],
              }))}
            />
          </div>
        </div>
      </Column>
    </Shell>
  );
}

function Assist() {
  const t = useT();
  const { courseReminder, noteGeneration } = useValue(settings);
  return (
    <div className="grid gap-5">
      <Switch
        label={t("mock.settings.courseReminder")}
        hint={t("mock.settings.courseReminderHint")}
        checked={courseReminder}
        onChange={(on) => changeSettings({ courseReminder: on })}
      />
      <hr className="border-rule" />
      <Switch
        label={t("mock.settings.noteGeneration")}
        hint={t("mock.settings.noteGenerationHint")}
        checked={noteGeneration}
        onChange={(on) => changeSettings({ noteGeneration: on })}
      />
    </div>
  );
}

function Core() {
  const t = useT();
  const { noteFormat } = useValue(settings);
  return (
    <Row title={t("mock.settings.noteFormat")} text={t("mock.settings.noteFormatHint")}>
      <Segments<NoteFormat>
        label={t("mock.settings.noteFormat")}
        value={noteFormat}
        options={[
          { value: "pdf", label: t("mock.settings.pdf") },
          { value: "word", label: t("mock.settings.word") },
        ]}
        onChange={(next) => changeSettings({ noteFormat: next })}
      />
    </Row>
  );
}

function Exit() {
  const t = useT();
  return (
    <Row title={t("mock.settings.exitTitle")} text={t("mock.settings.exitText")}>
      {/* Preloading the route would call the server. */}
      <Link to="/" preload={false} className={getButtonClass()}>
        <LogOut className="size-4" aria-hidden="true" />
        {t("mock.settings.leave")}
      </Link>
    </Row>
  );
}

function Related() {
  const t = useT();
  const notifySample = useNotifySample();
  return (["help", "feedback"] as const).map((name) => {
    const title = t(`mock.settings.${name}`);
    return (
      <Row key={name} title={title} text={t(`mock.settings.${name}Text`)}>
        <Button
          aria-label={`${t("mock.settings.open")}: ${title}`}
          onClick={() => notifySample(title)}
        >
          {t("mock.settings.open")}
        </Button>
      </Row>
    );
  });
}
