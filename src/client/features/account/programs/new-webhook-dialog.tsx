import { toApiError } from "#client/lib/call-server.ts";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import { TextField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";
import { NewSecretDialog } from "./new-secret-dialog.tsx";

export default function NewWebhookDialog(props: { open: boolean; onClose: () => void }) {
  const t = useT();
  const utils = api.useUtils();

  async function create({ url }: Record<string, unknown>, password?: string) {
    try {
      const { key } = await trpc.webhooks.create.mutate({
        url: String(url),
        ...(password !== undefined && { password }),
      });
      void utils.webhooks.list.invalidate();
      return { secret: key };
    } catch (failure) {
      if (toApiError(failure).code !== "validation_failed") throw failure;
      return { url: t("webhooks.urlInvalid") };
    }
  }

  return (
    <NewSecretDialog {...props} create={create} kind="webhooks">
      <TextField
        name="url"
        label={t("webhooks.url")}
        type="url"
        placeholder="https://"
        autoComplete="off"
        dir="ltr"
      />
    </NewSecretDialog>
  );
}
