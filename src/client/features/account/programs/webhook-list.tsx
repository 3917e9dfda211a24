import { useLanguage } from "#client/i18n/bundle.ts";
import { formatMoment } from "#client/lib/dates.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import { Button } from "#client/ui/button.tsx";
import type { Webhook } from "#shared/programs.ts";
import { useT } from "./messages/index.ts";
import { ProgramList } from "./program-list.tsx";

export function WebhookList({ webhooks }: { webhooks: readonly Webhook[] }) {
  const utils = api.useUtils();
  return (
    <ProgramList
      kind="webhooks"
      items={webhooks}
      getName={({ url }) => url}
      renderItem={(webhook) => <WebhookState webhook={webhook} />}
      onRemove={async ({ id }) => {
        await trpc.webhooks.delete.mutate({ id });
        await utils.webhooks.list.invalidate();
      }}
    />
  );
}

/** The address, what it answered last, and, if it is disabled, a button that starts it again. */
function WebhookState({ webhook }: { webhook: Webhook }) {
  const t = useT();
  const language = useLanguage();
  const utils = api.useUtils();
  const [busy, run] = useBusy();
  const { id, url, lastAttemptAt, lastStatus, failures, isDisabled } = webhook;
  const date = lastAttemptAt && formatMoment(lastAttemptAt, language);
  const details = [
    ...(isDisabled ? [t("webhooks.stopped")] : []),
    ...(failures > 0 ? [t("webhooks.failures", { count: failures })] : []),
    date === null
      ? t("webhooks.unused")
      : lastStatus === null
        ? t("webhooks.silent", { date })
        : t("webhooks.answered", { status: lastStatus, date }),
  ];

  const enable = () =>
    run(async () => {
      try {
        await trpc.webhooks.enable.mutate({ id });
        await utils.webhooks.list.invalidate();
      } catch (failure) {
        toastFailure(t("webhooks.enableFailed"), getErrorMessage(failure));
      }
    });

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <p dir="ltr" className="wrap-anywhere font-medium">
          {url}
        </p>
        <p className={`tabular text-sm ${isDisabled ? "text-warn" : "text-ink-3"}`}>
          {details.join(" · ")}
        </p>
      </div>
      {isDisabled ? (
        <Button size="small" disabled={busy} onClick={() => void enable()}>
          {t("webhooks.enable")}
        </Button>
      ) : null}
    </div>
  );
}
