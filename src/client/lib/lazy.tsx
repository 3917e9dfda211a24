import { type ComponentType, type FunctionComponent, lazy, useEffect, useState } from "react";
import type { Messages } from "#client/i18n/bundle.ts";
import { t } from "#client/i18n/index.ts";
import { afterFirstPaint } from "./after-first-paint.ts";
import { checkVersion } from "./new-version.ts";
import { toastFailure } from "./notifications.ts";

/**
 * A part of a page that is fetched on demand, together with its messages; to be wrapped in `Suspense`.
 * When that fails, the page goes on without it: a toast says so, and the fetch is repeated when the network
 * is back.
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  messages: Messages,
): FunctionComponent<P> {
  const missing = { default: () => <LoadFailureNotice /> };
  const tryOnce = () =>
    lazy<ComponentType<P>>(async () => {
      try {
        const [module] = await Promise.all([load(), messages.load()]);
        return module;
      } catch (cause) {
        console.warn("A part of the page could not be fetched", cause);
        current = tryOnce();
        await checkVersion();
        return missing;
      }
    });
  let current = tryOnce();

  return function Part(props: P) {
    const [Loaded, setLoaded] = useState(() => current);
    useEffect(() => {
      const again = () => setLoaded(() => current);
      window.addEventListener("online", again);
      return () => window.removeEventListener("online", again);
    }, []);
    return <Loaded {...props} />;
  };
}

/** Like `lazyPart`, for a part that is shown without a click but can wait for the first paint. */
export const lazyPartAfterPaint = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  messages: Messages,
) => lazyPart(afterFirstPaint(load), { load: afterFirstPaint(messages.load) });

function LoadFailureNotice() {
  useEffect(notifyLoadFailure, []);
  return null;
}

export function notifyLoadFailure(): void {
  toastFailure(t("part.missing"), t("part.missingText"));
}
