import { createHash, randomBytes } from "node:crypto";

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
