import { Link } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { type ReactNode, useState } from "react";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { useValue } from "#client/lib/hooks.ts";
import { chooseTheme, themeChoice } from "#client/state/theme.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { Switch } from "#client/ui/switch.tsx";
import { Tabs } from "#client/ui/tabs.tsx";
import { inputClass } from "#client/ui/text-field.tsx";
import { Column } from "./layouts.tsx";
import { useT } from "./messages/index.ts";
import { Choice, useNotifySample } from "./sample.tsx";

const parts = ["personal", "core", "assist", "related", "exit"] as const;

/** Settings of the mock-up. Only the language and the theme are stored; the others last as long as the page. */
export function SettingsPage() {
  const t = useT();
  const notifySample = useNotifySample();
  const theme = useValue(themeChoice);
  const [part, setPart] = useState<(typeof parts)[number]>("personal");
  const [role, setRole] = useState("");
  const [noteFormat, setNoteFormat] = useState<"pdf" | "word">("pdf");
  const [switches, setSwitches] = useState({ courseReminder: true, noteGeneration: false });
  const panels = {
    personal: (
      <>
        <Row name="language">
          <LanguageSwitch />
        </Row>
        <Row name="theme">
          <Choice
            label="mock.settings.theme"
            value={theme}
            values={["system", "light", "dark"]}
            onChange={chooseTheme}
          />
        </Row>
        <Row name="role">
          <input
            aria-label={t("mock.settings.role")}
            value={role}
            autoComplete="organization-title"
            onChange={(event) => setRole(event.target.value)}
            className={`${inputClass} sm:max-w-60`}
          />
        </Row>
      </>
    ),
    core: (
      <Row name="noteFormat">
        <Choice
          label="mock.settings.noteFormat"
          value={noteFormat}
          values={["pdf", "word"]}
          onChange={setNoteFormat}
        />
      </Row>
    ),
    assist: (
      <div className="grid gap-8">
        {(["courseReminder", "noteGeneration"] as const).map((name) => (
          <Switch
            key={name}
            label={t(`mock.settings.${name}`)}
            hint={t(`mock.settings.${name}Hint`)}
            checked={switches[name]}
            onChange={(checked) => setSwitches({ ...switches, [name]: checked })}
          />
        ))}
      </div>
    ),
    related: (["help", "feedback"] as const).map((name) => (
      <Row key={name} name={name}>
        <Button
          aria-label={`${t("mock.settings.open")}: ${t(`mock.settings.${name}`)}`}
          onClick={() => notifySample(`mock.settings.${name}`)}
        >
          {t("mock.settings.open")}
        </Button>
      </Row>
    )),
    exit: (
      <Row name="leave">
        {/* Preloading the route would call the server. */}
        <Link to="/" preload={false} className={getButtonClass()}>
          <LogOut className="size-4" />
          {t("mock.settings.goToDualect")}
        </Link>
      </Row>
    ),
  };
  return (
    <Column page="settings">
      <div className="mt-6 max-w-reading">
        <Tabs
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
    </Column>
  );
}

interface RowProps {
  name: "language" | "theme" | "role" | "noteFormat" | "help" | "feedback" | "leave";
  children: ReactNode;
}

function Row({ name, children }: RowProps) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-rule py-5 not-first:border-t first:pt-0">
      <div className="min-w-0 max-w-[46ch] flex-1 basis-48">
        <p className="font-medium">{t(`mock.settings.${name}`)}</p>
        <p className="text-ink-3 text-sm">{t(`mock.settings.${name}Hint`)}</p>
      </div>
      {children}
    </div>
  );
}
