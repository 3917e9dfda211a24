/** Capacity and refill rate of a bucket. */
export interface BucketLimit {
  capacity: number;
  perSecond: number;
}

export interface Bucket {
  tokens: number;
  /** Ms since the epoch. */
  at: number;
}

export function createBucket({ capacity }: BucketLimit, now: number): Bucket {
  return { tokens: capacity, at: now };
}

/** The bucket without one token, or null if it is empty at `now`. */
export function takeToken(bucket: Bucket, limit: BucketLimit, now: number): Bucket | null {
  const passed = Math.max(0, now - bucket.at) / 1_000;
  const tokens = Math.min(limit.capacity, bucket.tokens + passed * limit.perSecond) - 1;
  return tokens < 0 ? null : { tokens, at: Math.max(bucket.at, now) };
}
