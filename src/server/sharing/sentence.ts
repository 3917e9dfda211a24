import { type SQL, sql } from "drizzle-orm";
import { sha256 } from "#server/auth/secrets.ts";

/** A sentence by what is said and when. Its position may change, and its translation is lost with its English. */
export interface Sentence {
  /** On the lecture's clock. */
  startMs: number;
  original: string;
}

const hashLength = 32;

/** Half of the SHA-256 in hexadecimal. `selectSentenceHash` is the same in SQL. */
export const hashSentence = ({ original }: Sentence): string =>
  sha256(original).slice(0, hashLength);

/** Names a sentence among the translations of its lecture. */
export const toSentenceKey = (sentence: Sentence): string =>
  `${sentence.startMs}:${hashSentence(sentence)}`;

/** SQL for `hashSentence` of `original`. */
export const selectSentenceHash = (original: SQL): SQL =>
  sql`left(encode(sha256(convert_to(${original}, 'UTF8')), 'hex'), ${hashLength}::int)`;
