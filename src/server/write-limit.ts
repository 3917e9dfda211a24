import { AppError } from "#shared/errors.ts";
import type { Limits } from "./context.ts";

/** Text length in UTF-16 units that counts as one write; longer text counts as several. */
const unitLength = 128 * 1024;
const retryAfterSeconds = 20;

/**
 * Counts writes of the user in the current minute.
 *
 * @param length of the text that is written, in UTF-16 units.
 * @throws AppError `rate_limited`
 */
export async function countWrites(
  { limits, user }: { limits: Pick<Limits, "writes">; user: { id: string } },
  length = 0,
): Promise<void> {
  const units = Math.max(1, Math.ceil(length / unitLength));
  const calls = Array.from({ length: units }, () => limits.writes.allow(`user:${user.id}`));
  const allowed = await Promise.all(calls);
  if (allowed.includes(false)) throw new AppError("rate_limited", { retryAfterSeconds });
}
