import { useT } from "#client/features/account/messages/index.ts";
import { ResetStates } from "#client/features/account/reset-states.tsx";
import { useTitle } from "#client/lib/title.ts";

export default function ResetPasswordPage() {
  useTitle(useT()("title.reset"));
  return <ResetStates />;
}
