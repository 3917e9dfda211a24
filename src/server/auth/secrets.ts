import { createHash, randomBytes } from "node:crypto";

/** Creates a random secret of `bytes` bytes, as base64url. */
export const createSecret = (bytes = 32): string => randomBytes(bytes).toString("base64url");

/** SHA-256 in hexadecimal; the database stores secrets in this form only. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
