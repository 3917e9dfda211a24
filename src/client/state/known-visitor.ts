import { toApiError } from "#client/lib/call-server.ts";
import { browserClock, onWake } from "#client/lib/clock.ts";
import { RetryTimer } from "#client/lib/retry-timer.ts";
import { safeStorage } from "#client/lib/storage.ts";
import type { SessionUser } from "#shared/account.ts";
import { getBackoffMs } from "#shared/limits.ts";
import { isVisitorConfirmed } from "./offline.ts";
import { guestKey, setVisitor, signedInKey, type Visitor, visitor } from "./visitor.ts";

/** Loaded when the server cannot say who uses this tab. */

const retries = { firstMs: 2_000, maxMs: 60_000 };

/**
 * Shows the visitor that this browser knew last, until `fetchVisitor` reaches the server. They get what this device
 * stores for them, and nothing of the server, which checks each call. `failure`: undefined if the server is only slow.
 *
 * @throws `failure` if it is no failure to reach the server, or if nobody is known here; a slow server is waited for.
 */
export async function showKnownVisitor(
  failure: unknown,
  fetchVisitor: () => Promise<void>,
): Promise<void> {
  // Meanwhile somebody has signed in.
  if (visitor.get().kind !== "unknown") return;
  const known = getKnownVisitor();
  if (!known && failure === undefined) return fetchVisitor();
  if (!known || toApiError(failure).code !== "unavailable") throw failure;
  setVisitor(known);
  if (!isVisitorConfirmed.get()) return;
  isVisitorConfirmed.set(false);
  const getDelayMs = (failures: number) => getBackoffMs(retries, failures);
  const retry = new RetryTimer(browserClock, getDelayMs, async () => {
    try {
      await fetchVisitor();
    } catch {
      retry.schedule();
      return;
    }
    stop();
    isVisitorConfirmed.set(true);
  });
  const stop = onWake(() => void retry.runNow());
  retry.schedule();
}

/** The user or guest whom this browser knew last; null for others. Only the server knows whether they still may. */
function getKnownVisitor(): Visitor | null {
  const stored = safeStorage.get(signedInKey);
  if (stored === null) return safeStorage.get(guestKey) === "true" ? { kind: "guest" } : null;
  try {
    const { id, email, emailVerified } = JSON.parse(stored) as Partial<SessionUser>;
    if (typeof id !== "string" || typeof email !== "string") return null;
    return { kind: "user", user: { id, email, emailVerified: emailVerified === true } };
  } catch {
    return null;
  }
}
