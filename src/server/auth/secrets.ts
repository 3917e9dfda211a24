import { createHash, randomBytes } from "node:crypto";
import type { PasswordHasher } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";

/** Creates a random secret of `bytes` bytes, as base64url. */
export const createSecret = (bytes = 32): string => randomBytes(bytes).toString("base64url");

/** SHA-256 in hexadecimal; the database stores secrets in this form only. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * A hash with a random digest and the usual costs. Passwords for unknown addresses are verified against it, so
 * that the response time does not reveal whether an account exists.
 */
export const dummyPasswordHash =
  "$argon2id$v=19$m=19456,t=2,p=1$Yzx1+M6nQUj/+hLwwzpdNA$HY0VUfSfwGhf86zXpBrALmiSQKB0iuHNZndvHYeBG1I";

/** Two changes of a password, or four sign-ins, in one request. */
export const hashesPerRequest = 4;

/** Limits a hasher to `limit` calls, for one request with all calls of its batch. */
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
