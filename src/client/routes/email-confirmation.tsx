import { ConfirmationStates } from "../features/account/confirmation-states.tsx";
import { useT } from "../i18n/index.ts";
import { useTitle } from "../lib/title.ts";

/** /email-confirmation and /verify. */
export default function EmailConfirmationPage() {
  useTitle(useT()("title.confirmation"));
  return <ConfirmationStates />;
}
