import { useT } from "../features/account/messages/index.ts";
import { ResetStates } from "../features/account/reset-states.tsx";
import { useTitle } from "../lib/title.ts";

export default function ResetPasswordPage() {
  useTitle(useT()("title.reset"));
  return <ResetStates />;
}
