import { type ComponentType, type ReactNode, useState } from "react";
import { lazyPart } from "#client/lib/lazy.tsx";
import { api } from "#client/state/queries.tsx";
import { Button } from "#client/ui/button.tsx";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { personalTokensMax, webhooksMax } from "#shared/limits.ts";
import { programMessages, useT } from "./messages/index.ts";
import type { ProgramKind } from "./program-list.tsx";
import { TokenList } from "./token-list.tsx";
import { WebhookList } from "./webhook-list.tsx";

const NewTokenDialog = lazyPart(() => import("./new-token-dialog.tsx"), programMessages);
const NewWebhookDialog = lazyPart(() => import("./new-webhook-dialog.tsx"), programMessages);

/** What lets a person's programs in, and tells them of events. */
export default function Programs() {
  const t = useT();
  const tokens = api.tokens.list.useQuery();
  const webhooks = api.webhooks.list.useQuery();
  const retry = () => void Promise.all([tokens.refetch(), webhooks.refetch()]);
  return (
    <>
      <p className="-mt-3 text-pretty wrap-anywhere text-ink-2">
        {t("programs.text", { address: `${location.origin}/mcp` })}
      </p>
      {tokens.isError || webhooks.isError ? (
        <LoadFailure text={t("programs.listFailed")} onRetry={retry} />
      ) : null}
      {tokens.data ? (
        <Group
          kind="tokens"
          count={tokens.data.length}
          max={personalTokensMax}
          Dialog={NewTokenDialog}
        >
          <TokenList tokens={tokens.data} />
        </Group>
      ) : null}
      {webhooks.data ? (
        <Group
          kind="webhooks"
          count={webhooks.data.length}
          max={webhooksMax}
          Dialog={NewWebhookDialog}
        >
          <WebhookList webhooks={webhooks.data} />
        </Group>
      ) : null}
    </>
  );
}

interface GroupProps {
  kind: ProgramKind;
  count: number;
  max: number;
  /** Makes a new one. */
  Dialog: ComponentType<{ open: boolean; onClose: () => void }>;
  children: ReactNode;
}

function Group({ kind, count, max, Dialog, children }: GroupProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  /** Each opening has a new form. */
  const [openings, setOpenings] = useState(0);
  const isFull = count >= max;

  function open() {
    setOpenings(openings + 1);
    setOpen(true);
  }

  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 className="font-medium text-ink-2 text-sm">{t(`${kind}.title`)}</h3>
        <Button disabled={isFull} onClick={open}>
          {t(`${kind}.new`)}
        </Button>
      </div>
      {isFull ? <p className="text-ink-3 text-sm">{t(`${kind}.full`, { max })}</p> : null}
      {count === 0 ? <p className="text-ink-3 text-sm">{t(`${kind}.none`)}</p> : children}
      {openings > 0 ? <Dialog key={openings} open={isOpen} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
