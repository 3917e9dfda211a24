const dayMs = 86_400_000;

/** Days, begun ones included, until `expiresAt` (ISO 8601); 0 when it is past. `now` in ms since 1970. */
export const daysLeft = (expiresAt: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / dayMs));
