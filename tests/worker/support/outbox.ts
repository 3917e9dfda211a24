import { env } from "cloudflare:test";
import { vi } from "vitest";

export interface OutboxMail {
  id: string;
  to: string[];
  subject: string;
  html: string;
  text: string;
}

const stack = () => (env as Cloudflare.Env & { LOCAL_STACK_URL: string }).LOCAL_STACK_URL;

/** The embedded outbox's mails to `email`, newest first. */
export async function listMails(email: string): Promise<OutboxMail[]> {
  const response = await fetch(`${stack()}/mail/outbox.json?to=${encodeURIComponent(email)}`);
  const { emails } = (await response.json()) as { emails: OutboxMail[] };
  return emails;
}

/** Waits for `count` mails to `email` and returns the newest; some are sent after the answer. */
export async function waitForMail(email: string, count = 1): Promise<OutboxMail> {
  const mails = await vi.waitUntil(
    async () => {
      const found = await listMails(email);
      return found.length >= count ? found : null;
    },
    { timeout: 10_000, interval: 20 },
  );
  const [newest] = mails ?? [];
  if (!newest || mails?.length !== count) throw new Error(`${mails?.length} mails, not ${count}`);
  return newest;
}

/** The link in a mail, and its token. */
export function parseLink({ text }: OutboxMail) {
  const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? "");
  const tokenHash = link.searchParams.get("token_hash") ?? "";
  return { link, tokenHash, type: link.searchParams.get("type") };
}

/** Injects failures into mails to one address. */
export async function failMails(rule: { to: string; fail: number | string; count?: number }) {
  const body = JSON.stringify(rule);
  const response = await fetch(`${stack()}/mail/control`, { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
}
