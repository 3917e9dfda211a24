import { router } from "../trpc.ts";
import { changeProcedures } from "./changes.ts";
import { entryProcedures } from "./entry.ts";
import { linkProcedures } from "./links.ts";

/** docs/accounts.md says what each takes and answers. */
export const authRouter = router({ ...entryProcedures, ...linkProcedures, ...changeProcedures });
