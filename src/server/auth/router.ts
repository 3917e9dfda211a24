import { credentials, type SessionUser } from "../../shared/account.ts";
import { AppError } from "../../shared/errors.ts";
import type { Context } from "../context.ts";
import { publicProcedure, router } from "../trpc.ts";
import { accountEmail, createAccount, findAccount } from "./accounts.ts";
import { absentAccountHash } from "./passwords.ts";
import { createSessions, type Sessions } from "./sessions.ts";

const sessionsOf = (ctx: Context): Sessions =>
  createSessions(ctx.db, { secure: ctx.settings.secureCookies });

const setCookie = (ctx: Context, cookie: string) =>
  ctx.responseHeaders.append("set-cookie", cookie);

/** Guessing is bounded twice: from one address over all accounts, and for one account from anywhere. */
async function limitCredentials(ctx: Context, email: string): Promise<void> {
  const keys = [`account:${email}`, ...(ctx.addressKey ? [ctx.addressKey] : [])];
  const allowed = await Promise.all(keys.map((key) => ctx.limits.credentials.allow(key)));
  if (allowed.includes(false)) throw new AppError("rate_limited", { retryAfterSeconds: 60 });
}

export const authRouter = router({
  signUp: publicProcedure
    .input(credentials)
    .mutation(async ({ ctx, input }): Promise<{ user: SessionUser }> => {
      const email = accountEmail(input.email);
      await limitCredentials(ctx, email);
      const user = { id: crypto.randomUUID(), email };
      const passwordHash = await ctx.hasher.hash(input.password);
      await createAccount(ctx.db, { ...user, passwordHash, now: ctx.clock.now() });
      setCookie(ctx, (await sessionsOf(ctx).start(user.id)).cookie);
      return { user };
    }),

  signIn: publicProcedure
    .input(credentials)
    .mutation(async ({ ctx, input }): Promise<{ user: SessionUser }> => {
      const email = accountEmail(input.email);
      await limitCredentials(ctx, email);
      const account = await findAccount(ctx.db, { email });
      // An unknown address costs what a wrong password costs: the time of the answer tells nothing.
      const phc = account?.passwordHash ?? absentAccountHash;
      const right = await ctx.hasher.verify(phc, input.password);
      if (!account || !right) throw new AppError("credentials_invalid");
      setCookie(ctx, (await sessionsOf(ctx).start(account.id)).cookie);
      return { user: { id: account.id, email: account.email } };
    }),

  /** Succeeds for whoever is not signed in, too. */
  signOut: publicProcedure.mutation(async ({ ctx }): Promise<void> => {
    const sessions = sessionsOf(ctx);
    setCookie(ctx, sessions.blankCookie());
    if (ctx.session) await sessions.end(ctx.session.id);
  }),

  session: publicProcedure.query(({ ctx }): { user: SessionUser | null } => ({
    user: ctx.session?.user ?? null,
  })),
});
