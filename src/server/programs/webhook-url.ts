import { isPublicUrl } from "#server/public-url.ts";

/**
 * Whether `url` may be a webhook's: `isPublicUrl`, and https. No certificate of a usual authority names addresses by
 * numbers.
 *
 * @param siteOrigin null where it is not known
 */
export const isWebhookUrl = (url: string, siteOrigin: string | null): boolean =>
  URL.parse(url)?.protocol === "https:" && isPublicUrl(url, siteOrigin);
