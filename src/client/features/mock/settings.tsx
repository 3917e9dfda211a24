import { Link } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { chooseLanguage, type InterfaceLanguage, useLanguage } from "#client/i18n/bundle.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { Signal, useValue } from "#client/lib/signal.ts";
import { chooseTheme, type ThemeChoice, themeChoice } from "#client/state/theme.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { Segments } from "#client/ui/segments.tsx";
import { Switch } from "#client/ui/switch.tsx";
import { Tabs } from "#client/ui/tabs.tsx";
import { inputClass } from "#client/ui/text-field.tsx";
import { Column, PageHead } from "./layouts.tsx";
import { useT } from "./messages/index.ts";
import { useNotifySample } from "./sample.tsx";

/** The sample settings, until the page is reloaded. `pdf` can be read, `word` can be edited. */
const settings = new Signal({
  role: "",
  noteFormat: "pdf" as "pdf" | "word",
  courseReminder: true,
  noteGeneration: false,
});

const changeSettings = (change: Partial<ReturnType<typeof settings.get>>): void =>
  settings.set({ ...settings.get(), ...change });

/** Settings of the mock-up. Only the language and the theme are stored. */
export function SettingsPage() {
  const t = useT();
  const notifySample = useNotifySample();
  const language = useLanguage();
  const theme = useValue(themeChoice);
  const values = useValue(settings);
  const chooseOrNotify = (next: InterfaceLanguage) =>
    chooseLanguage(next).catch(() => toastFailure(t("common.error"), t("error.unavailable")));
  const toSwitch = (name: "courseReminder" | "noteGeneration") => (
    <Switch
      label={t(`mock.settings.${name}`)}
      hint={t(`mock.settings.${name}Hint`)}
      checked={values[name]}
      onChange={(checked) => changeSettings({ [name]: checked })}
    />
  );
  const panels = {
    personal: (
      <>
        <ChoiceRow<InterfaceLanguage>
          name="language"
          value={language}
          // Each language's name is in that language, so that its readers find it.
          options={[
            { value: "zh", label: "中文", lang: "zh-Hans" },
            { value: "en", label: "English", lang: "en" },
          ]}
          onChange={chooseOrNotify}
        />
        <ChoiceRow<ThemeChoice>
          name="theme"
          value={theme}
          options={(["system", "light", "dark"] as const).map((value) => ({
            value,
            label: t(`mock.settings.${value}`),
          }))}
          onChange={chooseTheme}
        />
        <Row name="role">
          <input
            aria-label={t("mock.settings.role")}
            value={values.role}
            autoComplete="organization-title"
            onChange={(event) => changeSettings({ role: event.target.value })}
            className={`${inputClass} sm:max-w-60`}
          />
        </Row>
      </>
    ),
    core: (
      <ChoiceRow
        name="noteFormat"
        value={values.noteFormat}
        options={[
          { value: "pdf", label: t("mock.settings.pdf") },
          { value: "word", label: t("mock.settings.word") },
        ]}
        onChange={(noteFormat) => changeSettings({ noteFormat })}
      />
    ),
    assist: (
      <div className="grid gap-5">
        {toSwitch("courseReminder")}
        <hr className="border-rule" />
        {toSwitch("noteGeneration")}
      </div>
    ),
    related: (["help", "feedback"] as const).map((name) => {
      const title = t(`mock.settings.${name}`);
      const label = t("mock.settings.open");
      return (
        <Row key={name} name={name}>
          <Button aria-label={`${label}: ${title}`} onClick={() => notifySample(title)}>
            {label}
          </Button>
        </Row>
      );
    }),
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
  const [part, setPart] = useState<keyof typeof panels>("personal");
  return (
    <Column title="mock.title.settings">
      <div className="max-w-reading">
        <PageHead name="settings" />
        <div className="mt-6">
          <Tabs
            label={t("mock.settings.tabs")}
            value={part}
            onChange={setPart}
            tabs={(["personal", "core", "assist", "related", "exit"] as const).map((value) => ({
              value,
              label: t(`mock.settings.${value}`),
              panel: panels[value],
            }))}
          />
        </div>
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

type ChoiceRowProps<T extends string> = Pick<RowProps, "name"> &
  Omit<ComponentProps<typeof Segments<T>>, "label">;

function ChoiceRow<T extends string>({ name, ...choice }: ChoiceRowProps<T>) {
  const t = useT();
  return (
    <Row name={name}>
      <Segments<T> label={t(`mock.settings.${name}`)} {...choice} />
    </Row>
  );
}
