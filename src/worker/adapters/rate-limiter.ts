import type { RateLimiter } from "../../server/ports.ts";

/** Cloudflare's rate-limit binding; how much in what time is in wrangler.toml. */
export function rateLimiter(binding: RateLimit): RateLimiter {
  return {
    async allow(key) {
      const { success } = await binding.limit({ key });
      return success;
    },
  };
}
