import * as z from "zod/mini";

const key = "recovery";
const shape = z.object({ email: z.string(), expiresAt: z.string() });

/** A recovery that is under way in this tab; its credential is a cookie that no script can read. */
export type StoredRecovery = z.infer<typeof shape>;

/** Outlives a reload of the tab, as the cookie does. */
export const storedRecovery = {
  get(): StoredRecovery | null {
    try {
      return shape.parse(JSON.parse(sessionStorage.getItem(key) ?? "null"));
    } catch {
      return null;
    }
  },
  set(recovery: StoredRecovery | null): void {
    try {
      if (recovery) sessionStorage.setItem(key, JSON.stringify(recovery));
      else sessionStorage.removeItem(key);
    } catch {
      // A reload then asks for a new link.
    }
  },
};
