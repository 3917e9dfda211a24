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
  const tokens = countTokens(bucket, limit, now) - 1;
  return tokens < 0 ? null : { tokens, at: Math.max(bucket.at, now) };
}

export function hasToken(bucket: Bucket, limit: BucketLimit, now: number): boolean {
  return countTokens(bucket, limit, now) >= 1;
}

function countTokens({ tokens, at }: Bucket, limit: BucketLimit, now: number): number {
  const passed = Math.max(0, now - at) / 1_000;
  return Math.min(limit.capacity, tokens + passed * limit.perSecond);
}
