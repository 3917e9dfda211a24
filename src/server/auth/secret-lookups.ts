import { ExpiringSet } from "#server/expiring-set.ts";
import type { Clock, RateLimiter } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { sha256 } from "./secrets.ts";

/** Which table a secret is looked up in. */
type SecretKind = "session" | "token" | "share";

/** Secrets are random and are stored before anybody gets them: one that is unknown stays unknown. */
const unknownForMs = 300_000;
const foundForMs = 600_000;
/** Hashes of each, about 1 MB. */
const hashesMax = 10_000;
/** An address beyond its limit of unknown secrets, which counts minutes. */
const refusedForMs = 60_000;
/** Lookups of one address that run at once. Secrets that were found lately are not among them. */
const pendingMax = 100;

/**
 * Looks up the secrets that callers send, so that guesses cost few queries: in this isolate, an unknown secret is looked
 * up once, and an address that has sent too many has no others looked up for a minute. Secrets that were found lately
 * are looked up all the same: a class behind one address goes on when somebody in it guesses.
 */
export class SecretLookups {
  readonly #unknown = new ExpiringSet(unknownForMs, hashesMax);
  readonly #found = new ExpiringSet(foundForMs, hashesMax);
  readonly #refused = new ExpiringSet(refusedForMs);
  readonly #pending = new Map<string, number>();
  readonly #limiter: RateLimiter;
  readonly #clock: Clock;

  /** `limiter` counts the unknown secrets of an address. */
  constructor(limiter: RateLimiter, clock: Clock) {
    this.#limiter = limiter;
    this.#clock = clock;
  }

  /**
   * What `query` finds for the secret; null if it finds nothing, or found nothing before.
   *
   * @param address rate-limit key of the caller's network address, null where it says nothing
   * @throws AppError `rate_limited`
   */
  async find<T>(
    kind: SecretKind,
    secret: string,
    address: string | null,
    query: () => Promise<T | null>,
  ): Promise<T | null> {
    const key = `${kind}:${sha256(secret)}`;
    const now = this.#now();
    if (this.#unknown.has(key, now)) return null;
    const isLimited = address !== null && !this.#found.has(key, now);
    const found = isLimited ? await this.#queryFor(address, query) : await query();
    if (found !== null) {
      this.#found.add(key, this.#now());
      return found;
    }
    this.#unknown.add(key, this.#now());
    if (address !== null && !(await this.#limiter.allow(address)))
      this.#refused.add(address, this.#now());
    return null;
  }

  async #queryFor<T>(address: string, query: () => Promise<T>): Promise<T> {
    const pending = this.#pending.get(address) ?? 0;
    if (pending >= pendingMax || this.#refused.has(address, this.#now()))
      throw new AppError("rate_limited", { retryAfterSeconds: refusedForMs / 1_000 });
    this.#pending.set(address, pending + 1);
    try {
      return await query();
    } finally {
      const left = (this.#pending.get(address) ?? 1) - 1;
      if (left > 0) this.#pending.set(address, left);
      else this.#pending.delete(address);
    }
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
