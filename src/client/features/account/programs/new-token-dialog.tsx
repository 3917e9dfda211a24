import { useState } from "react";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import { LabelledSegments } from "#client/ui/segments.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { programNameMaxLength } from "#shared/limits.ts";
import type { TokenScope } from "#shared/programs.ts";
import { useT } from "./messages/index.ts";
import { NewSecretDialog } from "./new-secret-dialog.tsx";

const lifetimes = ["30", "90", "365"] as const;

export default function NewTokenDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useT();
  const utils = api.useUtils();
  const [scope, setScope] = useState<TokenScope>("read");
  const [days, setDays] = useState<(typeof lifetimes)[number]>("90");

  async function create({ name }: Record<string, unknown>, password?: string) {
    const text = String(name).trim();
    if (text === "") return { name: t("tokens.nameMissing") };
    const { secret } = await trpc.tokens.create.mutate({
      name: text,
      scope,
      days: Number(days),
      ...(password !== undefined && { password }),
    });
    void utils.tokens.list.invalidate();
    return { secret };
  }

  return (
    <NewSecretDialog open={open} onClose={onClose} create={create} kind="tokens">
      <TextField
        name="name"
        label={t("tokens.name")}
        hint={t("tokens.nameHint")}
        maxLength={programNameMaxLength}
        autoComplete="off"
      />
      <LabelledSegments<TokenScope>
        label={t("tokens.scope")}
        value={scope}
        options={[
          { value: "read", label: t("tokens.scopeRead") },
          { value: "write", label: t("tokens.scopeWrite") },
        ]}
        onChange={setScope}
      />
      <LabelledSegments
        label={t("tokens.expires")}
        value={days}
        options={lifetimes.map((value) => ({
          value,
          label: t("tokens.days", { days: Number(value) }),
        }))}
        onChange={setDays}
      />
    </NewSecretDialog>
  );
}
