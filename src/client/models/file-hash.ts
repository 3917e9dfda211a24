import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ManifestFile } from "./manifest.ts";

/** Checks a file while it arrives: the browser's own hashes need the whole file in memory. */
export class FileHash {
  readonly #sha256 = sha256.create();
  readonly #expected: ManifestFile["hash"];
  readonly #gitSha1: ReturnType<typeof sha1.create> | null = null;

  constructor({ bytes, hash }: Pick<ManifestFile, "bytes" | "hash">) {
    this.#expected = hash;
    if (hash.algorithm === "git-sha1")
      this.#gitSha1 = sha1.create().update(new TextEncoder().encode(`blob ${bytes}\0`));
  }

  update(chunk: Uint8Array): void {
    this.#sha256.update(chunk);
    this.#gitSha1?.update(chunk);
  }

  /** The SHA-256 of the whole file in hex; null if it is not the expected file. Call it once. */
  finish(): string | null {
    const hex = bytesToHex(this.#sha256.digest());
    const actual = this.#gitSha1 ? bytesToHex(this.#gitSha1.digest()) : hex;
    return actual === this.#expected.value ? hex : null;
  }
}
