import { env } from "cloudflare:test";
import { openBrowser } from "./browser.ts";
import { getErrorData } from "./errors.ts";
import { waitForWindow } from "./limits.ts";
import { parseLink, waitForMail } from "./outbox.ts";

export const wrongPassword = (email: string, n: number) => ({ email, password: `guess ${n}` });

/**
 * Uses up the sign-ins at `email` from unknown devices, as ten wrong passwords would. These would take five seconds to
 * hash; `accounts/limits.test.ts` sends them.
 */
export async function lockOut(email: string): Promise<void> {
  await waitForWindow(15);
  for (let isAllowed = true; isAllowed; )
    isAllowed = (await env.LIMIT_CREDENTIALS.limit({ key: `sign-in:account:${email}` })).success;
  const stranger = openBrowser();
  const refusal = await getErrorData(stranger.trpc.auth.signIn.mutate(wrongPassword(email, 1)));
  if (refusal.appCode !== "rate_limited")
    throw new Error(`not locked out: ${JSON.stringify(refusal)}`);
}

/** A browser that has opened the newest recovery link, which is the account's mail number `mails`. */
export async function openRecovery(email: string, mails: number) {
  const browser = openBrowser();
  await browser.trpc.auth.forgotPassword.mutate({ email });
  const { tokenHash } = parseLink(await waitForMail(email, mails));
  await browser.trpc.auth.verify.mutate({ type: "recovery", tokenHash });
  return browser;
}
