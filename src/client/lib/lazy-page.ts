import { type AsyncRouteComponent, lazyRouteComponent } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Messages } from "#client/i18n/bundle.ts";
import { isFirstPageShown } from "./after-first-paint.ts";
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
 *
 * `parts` of the page are fetched once its module has come. The first page is shown without them, the header before
 * the contents, unless it is to be shown `inOnePiece`; every later page is.
 */
export function lazyPage<P extends object>(
  load: () => Promise<{
    default: (props: P) => ReactNode;
    parts?: readonly { preload?: () => Promise<unknown> | undefined }[];
    inOnePiece?: boolean;
  }>,
  ...messages: Messages[]
): AsyncRouteComponent<P> {
  const retry = async () => {
    await page.preload?.();
  };
  const page: AsyncRouteComponent<P> = lazyRouteComponent(async () => {
    try {
      const loadModule = async () => {
        const module = await load();
        const parts = module.parts?.map(({ preload }) => preload?.()) ?? [];
        const loads = Promise.allSettled(parts);
        if (module.inOnePiece || isFirstPageShown()) await loads;
        return module;
      };
      const [module] = await Promise.all([loadModule(), ...messages.map((each) => each.load())]);
      return module;
    } catch (cause) {
      await checkVersion();
      throw new PageLoadError(retry, cause);
    }
  });
  return page;
}
