import { useLanguage } from "#client/i18n/bundle.ts";
import { formatDay } from "#client/lib/dates.ts";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import type { PersonalToken } from "#shared/programs.ts";
import { useT } from "./messages/index.ts";
import { ProgramList } from "./program-list.tsx";

export function TokenList({ tokens }: { tokens: readonly PersonalToken[] }) {
  const utils = api.useUtils();
  return (
    <ProgramList
      kind="tokens"
      items={tokens}
      getName={({ name }) => name}
      renderItem={(token) => <Token token={token} />}
      onRemove={async ({ id }) => {
        await trpc.tokens.revoke.mutate({ id });
        await utils.tokens.list.invalidate();
      }}
    />
  );
}

function Token({ token }: { token: PersonalToken }) {
  const t = useT();
  const language = useLanguage();
  const { name, scope, lastUsedAt, expiresAt } = token;
  const isExpired = Date.parse(expiresAt) <= Date.now();
  const end = { date: formatDay(expiresAt, language) };
  const details = [
    t(scope === "read" ? "tokens.scopeRead" : "tokens.scopeWrite"),
    lastUsedAt ? t("tokens.used", { date: formatDay(lastUsedAt, language) }) : t("tokens.unused"),
    isExpired ? t("tokens.expiredOn", end) : t("tokens.expiresOn", end),
  ];
  return (
    <>
      <p className="wrap-anywhere font-medium">{name}</p>
      <p className={`tabular text-sm ${isExpired ? "text-warn" : "text-ink-3"}`}>
        {details.join(" · ")}
      </p>
    </>
  );
}
