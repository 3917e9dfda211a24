import { type AsyncRouteComponent, lazyRouteComponent } from "@tanstack/react-router";
import { type ComponentType, type FunctionComponent, lazy, useEffect, useState } from "react";
import type { Messages } from "#client/i18n/bundle.ts";
import { t } from "#client/i18n/index.ts";
import { checkVersion } from "#client/state/new-version.ts";
import { toastFailure } from "#client/state/notifications.ts";
import { afterFirstPaint } from "./after-first-paint.ts";

export class PageLoadError extends Error {
  override readonly name = "PageLoadError";
  /** Fetches it again. Never rejects: whoever renders it then learns how it went. */
  readonly retry: () => Promise<void>;

  constructor(again: () => Promise<void>, cause: unknown) {
    super("A page could not be fetched", { cause });
    this.retry = again;
  }
}

/**
 * A page that is fetched when it is wanted, together with its messages. Where it cannot be, `PageLoadError` reaches
 * the error boundary. (The router by itself would load the whole document anew, in the middle of a recording.)
 */
export function lazyPage(
  load: () => Promise<{ default: ComponentType }>,
  ...messages: Messages[]
): AsyncRouteComponent<object> {
  const again = async () => {
    await page.preload?.();
  };
  const page: AsyncRouteComponent<object> = lazyRouteComponent(async () => {
    try {
      const [module] = await Promise.all([load(), ...messages.map((each) => each.load())]);
      return module;
    } catch (cause) {
      await checkVersion();
      throw new PageLoadError(again, cause);
    }
  });
  return page;
}

/**
 * A part of a page that is fetched when it is wanted, together with its messages; to be wrapped in `Suspense`.
 * Where it cannot be had, the page goes on without it: that is told, and it is tried again when the network is
 * back.
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
    const [Shown, setShown] = useState(() => current);
    useEffect(() => {
      const again = () => setShown(() => current);
      window.addEventListener("online", again);
      return () => window.removeEventListener("online", again);
    }, []);
    return <Shown {...props} />;
  };
}

/** As `lazyPart`, for what is seen by itself, but not at once: fetched after the first page is there. */
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
