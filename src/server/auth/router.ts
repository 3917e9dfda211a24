import { router } from "#server/trpc.ts";
import { changeProcedures } from "./account-changes.ts";
import { linkProcedures } from "./email-links.ts";
import { signInProcedures } from "./sign-in.ts";

/** docs/accounts.md says what each takes and answers. */
export const authRouter = router({ ...signInProcedures, ...linkProcedures, ...changeProcedures });
