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

/** Limit of stored mails and idempotency keys; the oldest are removed first. */
const maxEmails = 500;
/** Resend keeps an idempotency key this long. */
const keyLifetimeMs = 24 * 3_600_000;

interface UsedKey {
  id: string;
  payload: string;
  at: number;
}

/** The mails that were sent, newest first. Kept in memory only. */
export class Outbox {
  #emails: StoredEmail[] = [];
  readonly #keys = new Map<string, UsedKey>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * Adds a mail. A repeated key returns the first mail's id; with a different mail it returns null and
   * adds nothing.
   */
  add(email: EmailRequest, idempotencyKey: string | null): { id: string } | null {
    const now = this.#now();
    const payload = createHash("sha256").update(JSON.stringify(email)).digest("hex");
    const earlier = idempotencyKey === null ? undefined : this.#keys.get(idempotencyKey);
    if (earlier && now.getTime() - earlier.at < keyLifetimeMs)
      return earlier.payload === payload ? { id: earlier.id } : null;

    const id = randomUUID();
    const { from, to, subject, html, text } = email;
    const stored = { id, from, to, subject, html: html ?? "", text: text ?? "" };
    this.#emails = [{ ...stored, createdAt: now.toISOString() }, ...this.#emails].slice(
      0,
      maxEmails,
    );
    if (idempotencyKey !== null) {
      // Deleting first moves the key to the end: the oldest key stays first.
      this.#keys.delete(idempotencyKey);
      this.#keys.set(idempotencyKey, { id, payload, at: now.getTime() });
      const [oldest] = this.#keys.keys();
      if (this.#keys.size > maxEmails && oldest !== undefined) this.#keys.delete(oldest);
    }
    return { id };
  }

  /** Newest first; null lists all mails, an address (in any case) only the mails to it. */
  list(address: string | null): readonly StoredEmail[] {
    if (address === null) return this.#emails;
    const recipient = address.toLowerCase();
    return this.#emails.filter(({ to }) => to.some((one) => toBareAddress(one) === recipient));
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
