import { ExpiringSet } from "#server/expiring-set.ts";

/** A name that leads to public addresses is not resolved again for so long: many requests go to one. */
const checkedForMs = 60_000;
const checkedMax = 1_000;

/** Whether a name leads to public addresses alone; null: nobody knows now. */
export type IsPublicName = (host: string) => Promise<boolean | null>;

/** @param leadsToPublic null where names are not resolved, in development */
export function createPublicNames(
  leadsToPublic: IsPublicName | null,
  now: () => number = Date.now,
): IsPublicName {
  const checked = new ExpiringSet(checkedForMs, checkedMax);
  return async (host) => {
    if (leadsToPublic === null || checked.has(host, now())) return true;
    const isPublic = await leadsToPublic(host);
    if (isPublic) checked.add(host, now());
    return isPublic;
  };
}
