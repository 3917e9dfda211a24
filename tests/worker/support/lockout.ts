import { openBrowser } from "./browser.ts";
import { callUntilLimited, waitForWindow } from "./limits.ts";
import { parseLink, waitForMail } from "./outbox.ts";

export const wrongPassword = (email: string, n: number) => ({ email, password: `guess ${n}` });

/** Signs in at `email` with wrong passwords from changing addresses until it is rate-limited. */
export async function lockOut(email: string): Promise<void> {
  await waitForWindow(15);
  const refusals = await callUntilLimited(10, (n) => {
    const stranger = openBrowser({ "cf-connecting-ip": `203.0.113.${n}` });
    return stranger.trpc.auth.signIn.mutate(wrongPassword(email, n));
  });
  const last = refusals.at(-1);
  if (last?.appCode !== "rate_limited") throw new Error(`not locked out: ${JSON.stringify(last)}`);
}

/** A browser that has opened the newest recovery link, which is the account's mail number `mails`. */
export async function openRecovery(email: string, mails: number) {
  const browser = openBrowser();
  await browser.trpc.auth.forgotPassword.mutate({ email });
  const { tokenHash } = parseLink(await waitForMail(email, mails));
  await browser.trpc.auth.verify.mutate({ type: "recovery", tokenHash });
  return browser;
}
