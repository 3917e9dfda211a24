import { timingSafeEqual } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { CallSchedule, type Pace } from "#server/call-pace.ts";
import type { PasswordHasher } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { type Argon2Costs, type Argon2id, createArgon2id, digestBytes } from "./argon2-wasm.ts";

/** OWASP's first choice for argon2id with 19 MiB. */
const costs: Argon2Costs = { memoryKib: 19_456, passes: 2, lanes: 1 };
const saltBytes = 16;

/**
 * Highest costs accepted in a stored hash: higher ones would be an attempt to exhaust the isolate. No
 * hash was ever made with more memory than today's, so the instance's memory never grows beyond it.
 */
const maxCosts: Argon2Costs = { memoryKib: costs.memoryKib, passes: 10, lanes: 4 };

/** A hash blocks the isolate's thread for 50 to 90 ms; hashing may use at most a fifth of the time. */
export const hashPace: Pace = { burst: 3, intervalMs: 500, maxWaitMs: 4_000 };

/** Two changes of a password, or four sign-ins. */
const hashesPerRequest = 4;

/** The hasher of one request, for all calls of its batch together. */
export function limitHashes(hasher: PasswordHasher): PasswordHasher {
  let left = hashesPerRequest;
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

/** Argon2id, as PHC strings: `$argon2id$v=19$m=19456,t=2,p=1$salt$digest`. */
export function createPasswordHasher(): PasswordHasher {
  const schedule = new CallSchedule(hashPace);
  let argon2id: Argon2id | null = null;

  async function digest(password: string, salt: Uint8Array, hashCosts: Argon2Costs) {
    const waitMs = schedule.reserve("hash", Date.now());
    if (waitMs === null)
      throw new AppError("unavailable", {
        retryAfterSeconds: hashPace.maxWaitMs / 1_000,
        detail: "too many passwords wait to be hashed",
      });
    // Waits even for 0 ms, so that other work can run between two hashes.
    await scheduler.wait(waitMs);
    argon2id ??= createArgon2id();
    return argon2id(new TextEncoder().encode(password), salt, hashCosts);
  }

  return {
    async hash(password) {
      const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
      const hash = await digest(password, salt, costs);
      const { memoryKib, passes, lanes } = costs;
      const parameters = `m=${memoryKib},t=${passes},p=${lanes}`;
      return `$argon2id$v=19$${parameters}$${toBase64(salt)}$${toBase64(hash)}`;
    },
    async verify(phc, password) {
      const parsed = parsePhc(phc);
      // Nobody has an empty password.
      if (!parsed || password === "") return false;
      const hash = await digest(password, parsed.salt, parsed.costs);
      return timingSafeEqual(hash, parsed.digest);
    },
    needsUpgrade(phc) {
      const parsed = parsePhc(phc);
      if (!parsed) return true;
      return !isDeepStrictEqual(parsed.costs, costs) || parsed.salt.length < saltBytes;
    },
  };
}

const phcPattern =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parsePhc(phc: string) {
  const [, m, t, p, salt, digest] = phcPattern.exec(phc) ?? [];
  if (!salt || !digest) return null;
  const read = { memoryKib: Number(m), passes: Number(t), lanes: Number(p) };
  const [saltRead, digestRead] = [Buffer.from(salt, "base64"), Buffer.from(digest, "base64")];
  const parsed = { costs: read, salt: saltRead, digest: digestRead };
  const affordable =
    read.memoryKib <= maxCosts.memoryKib &&
    read.passes <= maxCosts.passes &&
    read.lanes <= maxCosts.lanes;
  const possible = read.lanes >= 1 && read.passes >= 1 && read.memoryKib >= 8 * read.lanes;
  const complete = parsed.salt.length >= 8 && parsed.digest.length === digestBytes;
  return affordable && possible && complete ? parsed : null;
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll("=", "");
