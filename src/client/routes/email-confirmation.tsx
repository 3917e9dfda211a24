import { ConfirmationStates } from "../features/account/confirmation-states.tsx";
import { useT } from "../features/account/messages/index.ts";
import { useTitle } from "../lib/title.ts";

export default function EmailConfirmationPage() {
  useTitle(useT()("title.confirmation"));
  return <ConfirmationStates />;
}
