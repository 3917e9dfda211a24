import { type ReactNode, useState } from "react";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart, lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { Button } from "#client/ui/button.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { accountMessages, useT } from "./messages/index.ts";
import { PlanUsage } from "./plan-usage.tsx";

const LaterSections = lazyPartAfterPaint(() => import("./later-sections.tsx"), {
  load: async () => (await import("./later-sections.tsx")).loadLaterMessages(),
});
const DeleteAccountDialog = lazyPart(() => import("./delete-account-dialog.tsx"), accountMessages);

interface ProfileViewProps {
  email: string;
  onPassword: () => void;
  onPlans: () => void;
  /** Controls that simulate payments, where the server allows it. */
  testControls: ReactNode;
  /** Called to delete the account: `end` does it, and rejects when that fails. */
  onDelete: (end: () => Promise<void>) => Promise<void>;
}

export default function ProfileView({
  email,
  onPassword,
  onPlans,
  testControls,
  onDelete,
}: ProfileViewProps) {
  const t = useT();
  const [deleting, setDeleting] = useState(false);
  const isDialogLoaded = useLatch(deleting);
  return (
    <>
      <PageHead title={t("profile.title")}>
        <p className="wrap-anywhere">{email}</p>
      </PageHead>
      <section aria-label={t("profile.plan")} className="mt-7 border-rule border-t py-5">
        <PlanUsage />
      </section>
      <Row title={t("plans.title")} text={t("profile.plansText")} onClick={onPlans} />
      {testControls}
      <Row title={t("password.title")} text={t("profile.passwordText")} onClick={onPassword} />
      <LaterSections />
      <Row
        title={t("deleteAccount.title")}
        text={t("profile.deleteText")}
        onClick={() => setDeleting(true)}
        className="text-seal-text hover:text-seal-text"
      />
      {isDialogLoaded ? (
        <DeleteAccountDialog
          open={deleting}
          onClose={() => setDeleting(false)}
          onDelete={onDelete}
        />
      ) : null}
    </>
  );
}

interface RowProps {
  /** Also the button's text. */
  title: string;
  text: string;
  onClick: () => void;
  className?: string;
}

function Row({ title, text, onClick, className = "" }: RowProps) {
  return (
    <section className="grid justify-items-start gap-x-6 gap-y-3 border-rule border-t py-5 sm:flex sm:items-center sm:justify-between">
      <div className="min-w-0 max-w-[44ch]">
        <h2 className="font-medium">{title}</h2>
        <p className="text-ink-3 text-sm">{text}</p>
      </div>
      <Button onClick={onClick} className={className}>
        {title}
      </Button>
    </section>
  );
}
