import argon2Module from "argon2-wasm-edge/wasm/argon2.wasm";
import blake2bModule from "argon2-wasm-edge/wasm/blake2b.wasm";

export interface Argon2Costs {
  memoryKib: number;
  passes: number;
  lanes: number;
}

/** The password and the salt together may have at most 16 KiB. */
export type Argon2id = (password: Uint8Array, salt: Uint8Array, costs: Argon2Costs) => Uint8Array;

export const digestBytes = 32;
const blockBytes = 1_024;
const version = 0x13;
const argon2idType = 2;
/** What BLAKE2b's instance takes at once. */
const inputMaxBytes = 16 * 1_024;

/** What the two modules of argon2-wasm-edge export; its `src/argon2.c` and `src/blake2b.c` say more. */
interface Argon2Exports {
  memory: WebAssembly.Memory;
  Hash_GetBuffer(): number;
  Hash_SetMemorySize(bytes: number): number;
  Hash_Calculate(length: number, memoryKib: number): void;
}
interface Blake2bExports {
  memory: WebAssembly.Memory;
  Hash_GetBuffer(): number;
  Hash_Calculate(length: number, bits: number): void;
}

/**
 * Argon2id (RFC 9106) on one instance, whose memory every hash uses again. The package's own functions
 * make an instance for each hash and leave its 19 MiB to a garbage collector that does not hurry.
 */
export function createArgon2id(): Argon2id {
  const argon2 = new WebAssembly.Instance(argon2Module).exports as unknown as Argon2Exports;
  const blake2b = createBlake2b();
  const offset = argon2.Hash_GetBuffer();

  return (password, salt, { memoryKib, passes, lanes }) => {
    const end = memoryKib * blockBytes;
    // The last block takes the parameters.
    const required = end + blockBytes;
    if (argon2.memory.buffer.byteLength < offset + required && argon2.Hash_SetMemorySize(required))
      throw new Error("no memory for argon2");
    const memory = new Uint8Array(argon2.memory.buffer, offset, required);
    const parameters = uint32(lanes, digestBytes, memoryKib, passes, version, argon2idType);
    // No secret and no associated data: their lengths are 0.
    const inputs = [uint32(password.length), password, uint32(salt.length), salt, uint32(0, 0)];
    const seed = blake2b(concat(parameters, ...inputs), 64);
    const laneBlocks = 4 * Math.floor(memoryKib / (4 * lanes));
    try {
      memory.set(parameters, end);
      for (let lane = 0; lane < lanes; lane += 1)
        for (const column of [0, 1]) {
          const block = hashLong(blake2b, concat(seed, uint32(column, lane)), blockBytes);
          memory.set(block, (lane * laneBlocks + column) * blockBytes);
        }
      argon2.Hash_Calculate(0, memoryKib);
      return hashLong(blake2b, memory.slice(0, blockBytes), digestBytes);
    } finally {
      // The next hash begins with zeros, and nothing of this password stays.
      memory.fill(0);
    }
  };
}

type Blake2b = (input: Uint8Array, length: number) => Uint8Array;

function createBlake2b(): Blake2b {
  const blake2b = new WebAssembly.Instance(blake2bModule).exports as unknown as Blake2bExports;
  const buffer = new Uint8Array(blake2b.memory.buffer, blake2b.Hash_GetBuffer(), inputMaxBytes);
  return (input, length) => {
    buffer.set(input);
    blake2b.Hash_Calculate(input.length, length * 8);
    const digest = buffer.slice(0, length);
    buffer.fill(0, 0, Math.max(input.length, length));
    return digest;
  };
}

/** RFC 9106, 3.3: a digest of any length. */
function hashLong(blake2b: Blake2b, input: Uint8Array, length: number): Uint8Array {
  const first = concat(uint32(length), input);
  if (length <= 64) return blake2b(first, length);
  const output = new Uint8Array(length);
  let digest = blake2b(first, 64);
  let at = 0;
  for (; length - at > 64; at += 32) {
    output.set(digest.subarray(0, 32), at);
    digest = blake2b(digest, Math.min(64, length - at - 32));
  }
  output.set(digest, at);
  return output;
}

/** Little-endian. */
function uint32(...values: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [index, value] of values.entries()) view.setUint32(4 * index, value, true);
  return new Uint8Array(view.buffer);
}

const concat = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
