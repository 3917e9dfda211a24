import type { Context } from "#server/context.ts";
import { setCookie } from "./request.ts";
import { createSecret } from "./secrets.ts";
import { readCookie } from "./sessions.ts";

/** Most accounts per browser; the least recently used one is removed first. */
const maxAccounts = 5;
const lifetimeSeconds = 365 * 86_400;
/** The device's id (128 bits) and a proof for each account (256 bits), as base64url. */
const cookiePattern = /^[A-Za-z0-9_-]{22}(\.[A-Za-z0-9_-]{43}){1,5}$/;
const algorithm = { name: "HMAC", hash: "SHA-256" };

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
export async function findKnownDevice(
  ctx: Context,
  account: Account | null,
): Promise<string | null> {
  const device = readDevice(ctx);
  if (!device) return null;
  const index = await findProof(ctx, device, account);
  return account && index >= 0 ? device.id : null;
}

/** Makes the calling browser a known device of `account`, whose password it has just proven or set. */
export async function rememberDevice(ctx: Context, account: Account): Promise<void> {
  const before = readDevice(ctx) ?? { id: createSecret(16), proofs: [] };
  const same = await findProof(ctx, before, account);
  const others = before.proofs.filter((_, index) => index !== same);
  const key = await importSigningKey(ctx);
  const signed = await crypto.subtle.sign(algorithm.name, key, toProofPayload(before.id, account));
  const proofs = [Buffer.from(signed).toString("base64url"), ...others].slice(0, maxAccounts);
  const attributes = `HttpOnly; Max-Age=${lifetimeSeconds}; Path=/; SameSite=Lax`;
  const secure = ctx.settings.secureCookies ? "; Secure" : "";
  setCookie(
    ctx,
    `${getCookieName(ctx)}=${[before.id, ...proofs].join(".")}; ${attributes}${secure}`,
  );
}

/** The position among the device's proofs of the one for `account`, or -1. */
async function findProof(
  ctx: Context,
  { id, proofs }: { id: string; proofs: string[] },
  account: Account | null,
): Promise<number> {
  const key = await importSigningKey(ctx);
  const signed = toProofPayload(id, account);
  const matches = await Promise.all(
    proofs.map((proof) =>
      crypto.subtle.verify(algorithm.name, key, Buffer.from(proof, "base64url"), signed),
    ),
  );
  return matches.indexOf(true);
}

/** The signed text of a proof. It contains the password's hash, so a new password invalidates all proofs. */
const toProofPayload = (deviceId: string, account: Account | null) =>
  new TextEncoder().encode(
    `known device ${deviceId} of ${account?.user.id ?? "nobody"} with ${account?.passwordHash ?? ""}`,
  );

const importSigningKey = ({ settings }: Context) =>
  crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(settings.guestTicketSecret),
    algorithm,
    false,
    ["sign", "verify"],
  );
