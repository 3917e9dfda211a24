import { type AsyncRouteComponent, lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { Messages } from "#client/i18n/bundle.ts";
import { checkVersion } from "./new-version.ts";

export class PageLoadError extends Error {
  override readonly name = "PageLoadError";
  /** Fetches the page again. Never rejects: rendering the page shows whether it worked. */
  readonly retry: () => Promise<void>;

  constructor(retry: () => Promise<void>, cause: unknown) {
    super("A page could not be fetched", { cause });
    this.retry = retry;
  }
}

/**
 * A page that is fetched on demand, together with its messages. When that fails, `PageLoadError` reaches
 * the error boundary. (The router alone would reload the whole document, in the middle of a recording.)
 */
export function lazyPage(
  load: () => Promise<{ default: ComponentType }>,
  ...messages: Messages[]
): AsyncRouteComponent<object> {
  const retry = async () => {
    await page.preload?.();
  };
  const page: AsyncRouteComponent<object> = lazyRouteComponent(async () => {
    try {
      const [module] = await Promise.all([load(), ...messages.map((each) => each.load())]);
      return module;
    } catch (cause) {
      await checkVersion();
      throw new PageLoadError(retry, cause);
    }
  });
  return page;
}
