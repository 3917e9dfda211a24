import { ConfirmationStates } from "#client/features/account/confirmation-states.tsx";
import { useT } from "#client/features/account/messages/index.ts";
import { useTitle } from "#client/lib/title.ts";

export default function EmailConfirmationPage() {
  useTitle(useT()("title.confirmation"));
  return <ConfirmationStates />;
}
