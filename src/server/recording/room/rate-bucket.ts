/** A bucket of tokens, of which each call takes one. */
export interface Bucket {
  capacity: number;
  perSecond: number;
  tokens: number;
  /** Ms since the epoch. */
  at: number;
}

export function createBucket(limit: Pick<Bucket, "capacity" | "perSecond">, now: number): Bucket {
  return { ...limit, tokens: limit.capacity, at: now };
}

/** The bucket without one token, or null if it is empty at `now`. */
export function takeToken(bucket: Bucket, now: number): Bucket | null {
  const passed = Math.max(0, now - bucket.at) / 1_000;
  const tokens = Math.min(bucket.capacity, bucket.tokens + passed * bucket.perSecond) - 1;
  return tokens < 0 ? null : { ...bucket, tokens, at: Math.max(bucket.at, now) };
}
