import { type ReactNode, useEffect, useState } from "react";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { trpc } from "#client/state/trpc.ts";
import { Button } from "#client/ui/button.tsx";
import { type FieldErrors, Form } from "#client/ui/form.tsx";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { Spinner } from "#client/ui/loading.tsx";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { CurrentPasswordField } from "#client/ui/typed-confirmation.tsx";
import { personalTokensMax } from "#shared/limits.ts";
import { type ConsentRequest, resourcePath } from "#shared/oauth.ts";
import { type MessageKey, useT } from "./messages/index.ts";

interface ConsentProps {
  /** As the server has signed it. */
  request: string;
  email: string;
  /** Shown instead of a request that cannot be answered. */
  expired: ReactNode;
  /** Leaves for an address of the program. */
  onLeave: (address: string) => void;
}

/** Asks the person whether a program may read their lectures. */
export default function Consent({ request, email, expired, onLeave }: ConsentProps) {
  const t = useT();
  const [asked, setAsked] = useState<ConsentRequest | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks again.
  useEffect(() => {
    let isGone = false;
    setFailure(null);
    trpc.connections.describe.query({ request }).then(
      (described) => isGone || setAsked(described),
      (reason: unknown) => isGone || setFailure(reason),
    );
    return () => {
      isGone = true;
    };
  }, [request, attempt]);

  if (failure !== null)
    return isExpired(failure) ? (
      expired
    ) : (
      <LoadFailure text={getErrorMessage(failure)} onRetry={() => setAttempt(attempt + 1)} />
    );
  if (asked === null)
    return (
      <div className="grid min-h-60 place-items-center">
        <Spinner label={t("connect.loading")} />
      </div>
    );
  return (
    <div className="grid gap-6">
      <h1 className="text-balance wrap-anywhere font-semibold text-2xl tracking-tight">
        {t("connect.heading", { name: asked.name })}
      </h1>
      <p className="text-pretty wrap-anywhere text-ink-2">
        {t("connect.asks", { name: asked.name, email })}
      </p>
      <dl className="grid gap-x-6 gap-y-3 rounded-m border border-rule px-5 py-4 sm:grid-cols-[max-content_minmax(0,1fr)]">
        <Fact name="connect.leads">
          <b className="font-semibold">{asked.host ?? t("connect.thisDevice")}</b>
        </Fact>
        <Fact name="connect.may">
          {t("connect.mayText", { address: location.origin + resourcePath })}
        </Fact>
        <Fact name="connect.mayNot">{t("connect.mayNotText")}</Fact>
        <Fact name="connect.lasts">{t("connect.lastsText")}</Fact>
      </dl>
      <Answer request={request} refusal={asked.refusal} onLeave={onLeave} />
    </div>
  );
}

const isExpired = (failure: unknown): boolean => toApiError(failure).code === "token_expired";

function Fact({ name, children }: { name: MessageKey; children: ReactNode }) {
  const t = useT();
  return (
    <>
      <dt className="text-ink-3 text-sm leading-6 max-sm:-mb-3">{t(name)}</dt>
      <dd className="text-pretty wrap-anywhere">{children}</dd>
    </>
  );
}

interface AnswerProps extends Pick<ConsentProps, "request" | "onLeave"> {
  refusal: string;
}

function Answer({ request, refusal, onLeave }: AnswerProps) {
  const t = useT();
  const [busy, run] = useBusy();
  const [needsPassword, setNeedsPassword] = useState(false);

  const allow = (values: Record<string, unknown>) =>
    run(async (): Promise<FieldErrors | null> => {
      try {
        const { address } = await trpc.connections.allow.mutate({
          request,
          ...(needsPassword && { password: String(values.password) }),
        });
        onLeave(address);
        return null;
      } catch (failure) {
        const { code } = toApiError(failure);
        if (code === "reauthentication_required") setNeedsPassword(true);
        else if (code === "current_password_invalid") return { password: getErrorMessage(failure) };
        // An expired session is reported elsewhere.
        else if (code !== "unauthenticated") toastFormFailure(t("common.error"), getText(failure));
        return {};
      }
    });

  const getText = (failure: unknown): string => {
    if (isExpired(failure)) return t("connect.problem.expired");
    return toApiError(failure).code === "conflict"
      ? t("connect.full", { max: personalTokensMax })
      : getErrorMessage(failure);
  };

  return (
    <Form busy={busy} onSubmit={allow} className="flex flex-col gap-5">
      {needsPassword ? <CurrentPasswordField disabled={busy} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="ink" disabled={busy}>
          {t(busy ? "connect.allowing" : "connect.allow")}
        </Button>
        <Button disabled={busy} onClick={() => onLeave(refusal)}>
          {t("connect.deny")}
        </Button>
      </div>
    </Form>
  );
}
