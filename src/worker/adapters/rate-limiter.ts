import { ExpiringSet } from "#server/expiring-set.ts";
import type { RateLimiter } from "#server/ports.ts";

/** For so long a key that was refused is refused without asking. */
const rejectionCacheMs = 5_000;

interface Binding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** Asks Cloudflare's rate-limit binding; how much in what time is in wrangler.toml. */
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
