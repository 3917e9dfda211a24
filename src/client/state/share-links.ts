import * as z from "zod/mini";
import { safeStorage } from "#client/lib/storage.ts";
import { shareCode } from "#shared/share.ts";
import { shareLinksKey } from "./session.ts";
import { getUserId } from "./visitor.ts";

const linksMax = 50;
const storedLinks = z.object({
  userId: z.string(),
  /** Newest first. */
  links: z.array(z.object({ shareId: z.string(), code: shareCode })),
});

/** The links that the signed-in user has made on this device. */
function readLinks(): z.infer<typeof storedLinks>["links"] {
  try {
    const stored = storedLinks.parse(JSON.parse(safeStorage.get(shareLinksKey) ?? ""));
    return stored.userId === getUserId() ? stored.links : [];
  } catch {
    return [];
  }
}

/** The code of a share's link, if it was made on this device: the server returns it only once. */
export const getShareCode = (shareId: string): string | null =>
  readLinks().find((link) => link.shareId === shareId)?.code ?? null;

/** Keeps the code until the user signs out; another user's codes are dropped. */
export function keepShareCode(shareId: string, code: string): void {
  const userId = getUserId();
  if (userId === null) return;
  const links = [{ shareId, code }, ...readLinks()].slice(0, linksMax);
  safeStorage.set(shareLinksKey, JSON.stringify({ userId, links }));
}
