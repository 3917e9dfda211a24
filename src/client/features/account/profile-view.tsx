import { type ReactNode, useState } from "react";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart, lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { useSiteInfo } from "#client/state/queries.tsx";
import { hasPlans } from "#client/state/site-info.ts";
import { Button } from "#client/ui/button.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { accountMessages, useT } from "./messages/index.ts";
import { PlanUsage } from "./plan-usage.tsx";
import { SettingsNav } from "./settings-nav.tsx";
import { SettingsRow, SettingsSection } from "./settings-section.tsx";

const laterMessages = {
  load: async () => (await import("./later-messages.ts")).loadLaterMessages(),
};
const LanguageSettings = lazyPartAfterPaint(() => import("./language-settings.tsx"), laterMessages);
const KeptSound = lazyPartAfterPaint(() => import("./kept-sound.tsx"), laterMessages);
const Programs = lazyPartAfterPaint(() => import("./programs/programs.tsx"), laterMessages);
const DeleteAccountDialog = lazyPart(() => import("./delete-account-dialog.tsx"), accountMessages);

interface ProfileViewProps {
  email: string;
  /** What new recordings hear, and who writes it down and translates. */
  sound: ReactNode;
  speech: ReactNode;
  /** More of what is stored. */
  storage: ReactNode;
  onPassword: () => void;
  onPlans: () => void;
  /** Controls that simulate payments, where the server allows it. */
  testControls: ReactNode;
  onSignOut: () => void;
  /** Called to delete the account: `end` does it, and rejects when that fails. */
  onDelete: (end: () => Promise<void>) => Promise<void>;
}

/** All settings of a user on one page. */
export default function ProfileView(props: ProfileViewProps) {
  const t = useT();
  const { data: site } = useSiteInfo();
  const areSold = hasPlans(site);
  const [deleting, setDeleting] = useState(false);
  const isDialogLoaded = useLatch(deleting);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-16 gap-y-6 book:grid-cols-[10rem_minmax(0,40rem)]">
      <div className="book:col-span-2">
        <PageHead title={t("profile.title")} />
      </div>
      <SettingsNav />
      <div>
        <SettingsSection id="languages" title={t("settings.languages")}>
          <LanguageSettings fallback={<div className="h-41" />} />
        </SettingsSection>
        <SettingsSection id="sound" title={t("settings.sound")}>
          {props.sound}
        </SettingsSection>
        <SettingsSection id="speech" title={t("settings.speech")}>
          {props.speech}
        </SettingsSection>
        <SettingsSection id="storage" title={t("settings.storage")}>
          <KeptSound />
          {props.storage}
        </SettingsSection>
        <SettingsSection id="account" title={t("settings.account")}>
          <section
            aria-label={t(areSold ? "profile.plan" : "profile.usage")}
            className="grid gap-3"
          >
            <h3 className="font-medium wrap-anywhere">{props.email}</h3>
            <PlanUsage />
          </section>
          {areSold ? (
            <SettingsRow title={t("plans.title")} text={t("profile.plansText")}>
              <Button onClick={props.onPlans}>{t("plans.title")}</Button>
            </SettingsRow>
          ) : null}
          {props.testControls}
          <SettingsRow title={t("password.title")} text={t("profile.passwordText")}>
            <Button onClick={props.onPassword}>{t("password.title")}</Button>
          </SettingsRow>
          <SettingsRow title={t("account.signOut")}>
            <Button onClick={props.onSignOut}>{t("account.signOut")}</Button>
          </SettingsRow>
          <SettingsRow title={t("deleteAccount.title")} text={t("profile.deleteText")}>
            <Button look="danger" onClick={() => setDeleting(true)}>
              {t("deleteAccount.title")}
            </Button>
          </SettingsRow>
        </SettingsSection>
        <SettingsSection id="programs" title={t("settings.programs")}>
          <Programs />
        </SettingsSection>
      </div>
      {isDialogLoaded ? (
        <DeleteAccountDialog
          open={deleting}
          onClose={() => setDeleting(false)}
          onDelete={props.onDelete}
        />
      ) : null}
    </div>
  );
}
