import { getQueryKey } from "@trpc/react-query";
import { browserClock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { SiteInfo } from "#shared/site.ts";
import { api, queryClient } from "./queries.tsx";
import { trpc } from "./trpc.ts";

const infoKey = getQueryKey(api.site.info, undefined, "query");

/** Null before the first answer. */
export const getSiteInfo = (): SiteInfo | null => queryClient.getQueryData(infoKey) ?? null;

/** A site that has not said otherwise has plans. */
export const hasPlans = (info: SiteInfo | null | undefined = getSiteInfo()): boolean =>
  !info?.lacksPlans;

/** What needs the answer does not wait longer for it. */
const infoTimeoutMs = 3_000;

/** Null when the site does not answer. */
export async function fetchSiteInfo(): Promise<SiteInfo | null> {
  const known = getSiteInfo();
  if (known !== null) return known;
  try {
    const fetchInfo = (signal: AbortSignal) => trpc.site.info.query(undefined, { signal });
    const info = await withTimeout(browserClock, infoTimeoutMs, fetchInfo);
    queryClient.setQueryData(infoKey, info);
    return info;
  } catch {
    return null;
  }
}
