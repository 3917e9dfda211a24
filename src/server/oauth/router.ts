import * as z from "zod/mini";
import { requireRecentSignIn } from "#server/auth/recent-sign-in.ts";
import type { Context } from "#server/context.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import { reauthentication } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { consentRequestMaxLength } from "#shared/oauth.ts";
import { createAnswer, describeRequest, readRequest } from "./authorization.ts";
import { createCode } from "./grants.ts";

const consentRequestInput = z.object({
  request: z.string().check(z.maxLength(consentRequestMaxLength)),
});
const consentInput = z.extend(consentRequestInput, reauthentication.shape);

/** @throws AppError `token_expired` for a request that the site did not check, or too long ago */
function readConsentRequest({ settings, clock }: Context, signed: string) {
  const request = readRequest(settings.guestTicketSecret, signed, clock.now());
  if (request === null) throw new AppError("token_expired");
  return request;
}

/** A person's answer to a program that asks for a token. No token may call these. */
export const connectionsRouter = router({
  describe: userProcedure
    .input(consentRequestInput)
    .query(({ ctx, input }) =>
      describeRequest(readConsentRequest(ctx, input.request), ctx.settings.origin),
    ),

  /** Requires a recent sign-in. The answer has the address that leads back to the program, with a code. */
  allow: writeProcedure.input(consentInput).mutation(async ({ ctx, input }) => {
    const request = readConsentRequest(ctx, input.request);
    await requireRecentSignIn(ctx, input.password);
    const code = await createCode(ctx.db, { request, ...ctx.caller });
    ctx.logger.info("program_allowed", { userId: ctx.user.id });
    return { address: createAnswer(request, ctx.settings.origin, { code }) };
  }),
});
