import { ExpiringSet } from "#server/expiring-set.ts";
import type { RateLimiter } from "#server/ports.ts";

/** How long a rejected key is rejected again without a call to the binding. */
const rejectionCacheMs = 5_000;

interface Binding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** Uses Cloudflare's rate-limit binding; the limits are in wrangler.toml. */
export function createRateLimiter(binding: Binding, now = Date.now): RateLimiter {
  const refused = new ExpiringSet(rejectionCacheMs);
  return {
    async allow(key) {
      const at = now();
      if (refused.has(key, at)) return false;
      const { success } = await binding.limit({ key });
      if (!success) refused.add(key, at);
      return success;
    },
  };
}
