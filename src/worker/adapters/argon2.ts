import { timingSafeEqual } from "node:crypto";
import { argon2id, setWASMModules } from "argon2-wasm-edge";
import argon2WASM from "argon2-wasm-edge/wasm/argon2.wasm";
import blake2bWASM from "argon2-wasm-edge/wasm/blake2b.wasm";
import type { PasswordHasher } from "../../server/ports.ts";

interface Costs {
  memoryKib: number;
  passes: number;
  lanes: number;
}

/** OWASP's first choice for argon2id with 19 MiB. */
const costs: Costs = { memoryKib: 19_456, passes: 2, lanes: 1 };
const saltBytes = 16;
const digestBytes = 32;

/** Costs in a stored string beyond these would be somebody's attempt to exhaust the isolate. */
const most: Costs = { memoryKib: 65_536, passes: 10, lanes: 4 };

/** Argon2id, as PHC strings: `$argon2id$v=19$m=19456,t=2,p=1$salt$digest`. */
export function createPasswordHasher(): PasswordHasher {
  // Compiled at deployment: an isolate may not compile WebAssembly by itself.
  const ready = setWASMModules({ argon2WASM, blake2bWASM });
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: each takes 19 MiB, and an isolate has 128 MiB and one thread. */
  function digest(password: string, salt: Uint8Array, { memoryKib, passes, lanes }: Costs) {
    const next = last.then(async () => {
      await ready;
      return argon2id({
        password,
        salt,
        memorySize: memoryKib,
        iterations: passes,
        parallelism: lanes,
        hashLength: digestBytes,
        outputType: "binary",
      });
    });
    last = next.catch(() => undefined);
    return next;
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
      // The library refuses to hash nothing, so nothing can be anybody's password.
      if (!parsed || password === "") return false;
      const hash = await digest(password, parsed.salt, parsed.costs);
      return timingSafeEqual(hash, parsed.digest);
    },
    needsUpgrade(phc) {
      const parsed = parsePhc(phc);
      if (!parsed) return true;
      const { memoryKib, passes, lanes } = parsed.costs;
      const same =
        memoryKib === costs.memoryKib && passes === costs.passes && lanes === costs.lanes;
      return !same || parsed.salt.length < saltBytes;
    },
  };
}

const phcPattern =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parsePhc(phc: string) {
  const [, m, t, p, salt, digest] = phcPattern.exec(phc) ?? [];
  if (!salt || !digest) return null;
  const read = { memoryKib: Number(m), passes: Number(t), lanes: Number(p) };
  const parsed = { costs: read, salt: fromBase64(salt), digest: fromBase64(digest) };
  const affordable =
    read.memoryKib <= most.memoryKib && read.passes <= most.passes && read.lanes <= most.lanes;
  const possible = read.lanes >= 1 && read.passes >= 1 && read.memoryKib >= 8 * read.lanes;
  const complete = parsed.salt.length >= 8 && parsed.digest.length === digestBytes;
  return affordable && possible && complete ? parsed : null;
}

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes)).replaceAll("=", "");

function fromBase64(text: string): Uint8Array {
  // A length of 4n + 1 is no Base64.
  if (text.length % 4 === 1) return new Uint8Array();
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
