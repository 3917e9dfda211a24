import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { useT } from "#client/features/keep/messages/index.ts";
import { forgetSharedLink, getSharedLink } from "#client/features/keep/shared-link.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toast } from "#client/lib/notifications.ts";
import { useTitle } from "#client/lib/title.ts";
import { trpc } from "#client/state/trpc.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { Spinner } from "#client/ui/loading.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { LibraryPage } from "./library-page.tsx";

export default function KeepPage() {
  return (
    <LibraryPage measure="reading">
      <KeepView />
    </LibraryPage>
  );
}

/** Copies the shared lecture of this tab's link into the library, and opens the copy. */
function KeepView() {
  const t = useT();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>(null);
  const [link] = useState(getSharedLink);
  useTitle(t("shareKeep.title"));

  const keep = useCallback(async () => {
    if (link === null) return;
    setFailure(null);
    try {
      await trpc.shares.keep.mutate(link);
      forgetSharedLink();
      toast({ kind: "success", title: t("shareKeep.kept"), description: t("shareKeep.keptText") });
      await navigate({ to: "/record", search: { lecture: link.id }, replace: true });
    } catch (reason) {
      setFailure(reason);
    }
  }, [link, navigate, t]);
  useEffect(() => void keep(), [keep]);

  if (link !== null && failure === null)
    return (
      <div className="grid min-h-60 place-items-center">
        <Spinner label={t("shareKeep.busy")} />
      </div>
    );
  const isGone = failure !== null && toApiError(failure).code === "not_found";
  const text =
    link === null
      ? t("shareKeep.nothing")
      : isGone
        ? t("shareKeep.gone")
        : getErrorMessage(failure);
  return (
    <Placeholder role="alert" title={t("shareKeep.failed")} text={text}>
      {link === null || isGone ? null : (
        <Button onClick={() => void keep()}>{t("common.retry")}</Button>
      )}
      <Link to="/" className={getButtonClass({ look: "quiet" })}>
        {t("shareKeep.home")}
      </Link>
    </Placeholder>
  );
}
