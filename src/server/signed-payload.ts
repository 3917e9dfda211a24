import { createHmac, timingSafeEqual } from "node:crypto";

const usualMaxLength = 512;

/** `payload.signature`, both base64url. Each kind of payload has a key of its own. */
export function signPayload(key: string, payload: object): string {
  return addSignature(key, Buffer.from(JSON.stringify(payload)).toString("base64url"));
}

/** The payload that was signed with `key`; null for anything else. */
export function readSignedPayload(
  key: string,
  signed: string,
  maxLength = usualMaxLength,
): unknown {
  if (signed.length > maxLength) return null;
  const [body = ""] = signed.split(".");
  const given = Buffer.from(signed);
  const expected = Buffer.from(addSignature(key, body));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return JSON.parse(Buffer.from(body, "base64url").toString());
}

function addSignature(key: string, body: string): string {
  return `${body}.${createHmac("sha256", key).update(body).digest("base64url")}`;
}
