import type { BudgetUse } from "#server/daily-budget.ts";
import { mediaMaxBytes } from "#shared/limits.ts";

/** Bytes of other sites' files that pass through the server in a day (UTC): two of the largest; and for all together. */
const userBytesPerDay = 2 * mediaMaxBytes;
const siteBytesPerDay = 1024 ** 4;

/** `amount`: bytes, below 0 for those that did not come. */
export const listRemoteUses = (userId: string, amount: number): BudgetUse[] => [
  { key: `remote-files:user:${userId}`, amount, limit: userBytesPerDay },
  { key: "remote-files:site", amount, limit: siteBytesPerDay },
];
