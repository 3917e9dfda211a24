import type { PasswordHasher } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";

/**
 * The hash of no password (its digest was drawn at random), with the costs of the real ones. It is
 * verified against when an address has no account.
 */
export const dummyPasswordHash =
  "$argon2id$v=19$m=19456,t=2,p=1$Yzx1+M6nQUj/+hLwwzpdNA$HY0VUfSfwGhf86zXpBrALmiSQKB0iuHNZndvHYeBG1I";

/** Two changes of a password, or four sign-ins, in one request. */
export const hashesPerRequest = 4;

/** `hasher` for one request: calls beyond `limit` are refused, however they are batched. */
export function limitHashes(hasher: PasswordHasher, limit: number): PasswordHasher {
  let left = limit;
  function count() {
    if (left === 0) throw new AppError("rate_limited", { retryAfterSeconds: 1 });
    left -= 1;
  }
  return {
    async hash(password) {
      count();
      return hasher.hash(password);
    },
    async verify(phc, password) {
      count();
      return hasher.verify(phc, password);
    },
    needsUpgrade: (phc) => hasher.needsUpgrade(phc),
  };
}
