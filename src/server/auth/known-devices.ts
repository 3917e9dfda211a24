import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "#server/context.ts";
import { setCookie } from "./request.ts";
import { createSecret } from "./secrets.ts";
import { readCookie } from "./sessions.ts";

/** Most accounts per browser; the least recently used one is removed first. */
const maxAccounts = 5;
const lifetimeSeconds = 365 * 86_400;
/** The device's id (128 bits) and a proof for each account (256 bits), as base64url. */
const cookiePattern = /^[A-Za-z0-9_-]{22}(\.[A-Za-z0-9_-]{43}){1,5}$/;

interface Account {
  user: { id: string };
  passwordHash: string;
}

const getCookieName = ({ settings }: Context) =>
  settings.secureCookies ? "__Host-dualect_device" : "dualect_device";

function readDevice(ctx: Context): { id: string; proofs: string[] } | null {
  const value = readCookie(ctx.cookieHeader, getCookieName(ctx));
  if (!value || !cookiePattern.test(value)) return null;
  const [id = "", ...proofs] = value.split(".");
  return { id, proofs };
}

/**
 * The id of the calling browser if it has signed in to `account` with its current password before; null
 * otherwise. A null `account` takes the same time.
 */
export function findKnownDevice(ctx: Context, account: Account | null): string | null {
  const device = readDevice(ctx);
  if (!device) return null;
  const proof = Buffer.from(signProof(ctx, device.id, account));
  const matches = device.proofs.filter((known) => timingSafeEqual(Buffer.from(known), proof));
  return account && matches.length > 0 ? device.id : null;
}

/** Makes the calling browser a known device of `account`, whose password it has just proven or set. */
export function rememberDevice(ctx: Context, account: Account): void {
  const device = readDevice(ctx) ?? { id: createSecret(16), proofs: [] };
  const proof = signProof(ctx, device.id, account);
  const others = device.proofs.filter((known) => known !== proof);
  const value = [device.id, ...[proof, ...others].slice(0, maxAccounts)].join(".");
  const attributes = `HttpOnly; Max-Age=${lifetimeSeconds}; Path=/; SameSite=Lax`;
  const secure = ctx.settings.secureCookies ? "; Secure" : "";
  setCookie(ctx, `${getCookieName(ctx)}=${value}; ${attributes}${secure}`);
}

/** The payload contains the password's hash, so a new password invalidates all proofs. */
function signProof({ settings }: Context, deviceId: string, account: Account | null): string {
  const { user, passwordHash } = account ?? { user: { id: "nobody" }, passwordHash: "" };
  return createHmac("sha256", settings.guestTicketSecret)
    .update(`known device ${deviceId} of ${user.id} with ${passwordHash}`)
    .digest("base64url");
}
