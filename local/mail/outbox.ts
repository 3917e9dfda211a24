import { createHash, randomUUID } from "node:crypto";
import type { EmailRequest } from "./wire.ts";

export interface StoredEmail {
  id: string;
  from: string;
  to: string[];
  subject: string;
  html: string;
  text: string;
  /** ISO 8601. */
  createdAt: string;
}

/** Mails and idempotency keys that are kept; the oldest go first. */
const maxEmails = 500;
/** How long the service remembers an idempotency key. */
const keyLifetimeMs = 24 * 3_600_000;

interface UsedKey {
  id: string;
  payload: string;
  at: number;
}

/** What was sent, newest first, in memory alone. */
export class Outbox {
  #emails: StoredEmail[] = [];
  readonly #keys = new Map<string, UsedKey>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * Takes a mail. The same key with the same mail again is the same mail; with another one it is
   * refused (null).
   */
  add(email: EmailRequest, idempotencyKey: string | null): { id: string } | null {
    const now = this.#now();
    const payload = createHash("sha256").update(JSON.stringify(email)).digest("hex");
    const used = idempotencyKey === null ? undefined : this.#keys.get(idempotencyKey);
    if (used && now.getTime() - used.at < keyLifetimeMs)
      return used.payload === payload ? { id: used.id } : null;

    const id = randomUUID();
    const { from, to, subject, html, text } = email;
    const stored = { id, from, to, subject, html: html ?? "", text: text ?? "" };
    this.#emails = [{ ...stored, createdAt: now.toISOString() }, ...this.#emails].slice(
      0,
      maxEmails,
    );
    if (idempotencyKey !== null) {
      // Set anew, so that the oldest key stays first.
      this.#keys.delete(idempotencyKey);
      this.#keys.set(idempotencyKey, { id, payload, at: now.getTime() });
      const [oldest] = this.#keys.keys();
      if (this.#keys.size > maxEmails && oldest !== undefined) this.#keys.delete(oldest);
    }
    return { id };
  }

  /** Newest first; those to `address` alone where one is given, in whatever case. */
  list(address: string | null): readonly StoredEmail[] {
    if (address === null) return this.#emails;
    const wanted = address.toLowerCase();
    return this.#emails.filter(({ to }) => to.some((one) => toBareAddress(one) === wanted));
  }

  find(id: string): StoredEmail | null {
    return this.#emails.find((email) => email.id === id) ?? null;
  }

  clear(): void {
    this.#emails = [];
    this.#keys.clear();
  }
}

/** The address in `Some One <someone@example.org>`, in lower case. */
const toBareAddress = (address: string) =>
  (/<([^>]*)>/.exec(address)?.[1] ?? address).trim().toLowerCase();
