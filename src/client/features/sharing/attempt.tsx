import { useState } from "react";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useBusy } from "#client/lib/hooks.ts";

/** Why an action failed; announced. */
export function Failure({ text }: { text: string | null }) {
  return (
    <p role="alert" className="font-medium text-sm text-warn empty:hidden">
      {text}
    </p>
  );
}

/** Makes one call at a time about a share. `failure`: why the last one failed. */
export function useAttempt(onNotFound?: () => Promise<void>) {
  const [busy, run] = useBusy();
  const [failure, setFailure] = useState<string | null>(null);
  /** Resolves to whether `call` has succeeded. */
  const attempt = (call: () => Promise<void>) =>
    run(async () => {
      setFailure(null);
      try {
        await call();
        return true;
      } catch (error) {
        const { code } = toApiError(error);
        if (code === "not_found" && onNotFound) await onNotFound();
        // An expired session is reported elsewhere.
        else if (code !== "unauthenticated") setFailure(getErrorMessage(error));
        return false;
      }
    });
  return { busy, failure, attempt };
}
