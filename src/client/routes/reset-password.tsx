import { ResetStates } from "../features/account/reset-states.tsx";
import { useT } from "../i18n/index.ts";
import { useTitle } from "../lib/title.ts";

export default function ResetPasswordPage() {
  useTitle(useT()("title.reset"));
  return <ResetStates />;
}
