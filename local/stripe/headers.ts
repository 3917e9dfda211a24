import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { invalidRequest } from "./errors.ts";
import { apiVersion } from "./version.ts";

const keyMaxLength = 255;

/** @throws ApiError 401 without the account's secret key, as bearer or as the name of Basic. */
export function assertKey({ headers }: IncomingMessage, secretKey: string): void {
  const given = keyIn(headers.authorization ?? "");
  if (given === null)
    throw invalidRequest(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      { status: 401 },
    );
  const [a, b] = [Buffer.from(given), Buffer.from(secretKey)];
  if (a.length !== b.length || !timingSafeEqual(a, b))
    throw invalidRequest(`Invalid API Key provided: ${masked(given)}`, { status: 401 });
}

/** @throws ApiError 400 for a version whose shapes the stand-in does not have, and for a key too long. */
export function assertVersion({ headers }: IncomingMessage): void {
  const version = headers["stripe-version"];
  if (version !== undefined && version !== apiVersion)
    throw invalidRequest(
      `Invalid Stripe API version: ${String(version)}. The stand-in has ${apiVersion} alone.`,
    );
  const key = headers["idempotency-key"];
  if (typeof key === "string" && key.length > keyMaxLength)
    throw invalidRequest(`Idempotency keys are at most ${keyMaxLength} characters long.`);
}

function keyIn(authorization: string): string | null {
  const [, scheme = "", value = ""] = /^(Bearer|Basic) (\S+)$/i.exec(authorization) ?? [];
  if (value === "") return null;
  if (scheme.toLowerCase() === "bearer") return value;
  return Buffer.from(value, "base64").toString("utf8").split(":")[0] || null;
}

const masked = (key: string) =>
  key.length > 12 ? `${key.slice(0, 8)}${"*".repeat(key.length - 12)}${key.slice(-4)}` : "****";
