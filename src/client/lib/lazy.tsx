import {
  type ComponentType,
  type FunctionComponent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from "react";
import type { Messages } from "#client/i18n/bundle.ts";
import { t } from "#client/i18n/index.ts";
import { afterFirstPaint } from "#client/lib/after-first-paint.ts";
import { whenIdle } from "#client/lib/browser.ts";
import { checkVersion } from "#client/lib/new-version.ts";
import { toastFailure } from "#client/lib/notifications.ts";

interface PartProps {
  /** In its place until it is fetched. */
  fallback?: ReactNode;
}

/**
 * A part of a page that is fetched on demand, together with its messages. The page around it does not wait.
 * When that fails, the page goes on without it: a toast says so, and the fetch is repeated when the network
 * is back, or when the part is opened again.
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  ...messages: Messages[]
): FunctionComponent<P & PartProps> & { preload: () => Promise<unknown> } {
  let hasFailed = false;
  /** Shown as it is once it has come: for a lazy component React shows the fallback first, and for 300 ms at least. */
  let ready: ComponentType<P> | null = null;
  async function preload() {
    const [module] = await Promise.all([load(), ...messages.map((each) => each.load())]);
    ready = module.default;
    return module;
  }
  const tryOnce = () =>
    lazy<ComponentType<P>>(async () => {
      try {
        return await preload();
      } catch (cause) {
        console.warn("A part of the page could not be fetched", cause);
        hasFailed = true;
        await checkVersion();
        return { default: Missing };
      }
    });
  let current = tryOnce();
  // Not before the failure is on the page: React renders a part that has suspended from its beginning, and would fetch it
  // again and again.
  function renew() {
    if (hasFailed) current = tryOnce();
    hasFailed = false;
    return current;
  }
  function Missing() {
    useEffect(() => {
      notifyLoadFailure();
      return () => void renew();
    }, []);
    return null;
  }

  function Part(props: P & PartProps) {
    const [Loaded, setLoaded] = useState<ComponentType<P>>(() => ready ?? current);
    useEffect(() => {
      const again = () =>
        setLoaded((shown: ComponentType<P>) => (shown === ready ? shown : renew()));
      window.addEventListener("online", again);
      return () => window.removeEventListener("online", again);
    }, []);
    return (
      <Suspense fallback={props.fallback}>
        <Loaded {...props} />
      </Suspense>
    );
  }
  return Object.assign(Part, { preload });
}

/** Like `lazyPart`, for a part that is shown without a click but can wait for the first paint. */
export const lazyPartAfterPaint = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  ...messages: Messages[]
) =>
  lazyPart(
    afterFirstPaint(load),
    ...messages.map((each) => ({ load: afterFirstPaint(each.load) })),
  );

/** Loads each of `loads` once the browser is idle, so that it is there when it is needed. Returns what cancels this. */
export const preloadWhenIdle = (...loads: (() => Promise<unknown>)[]): (() => void) =>
  whenIdle(() => {
    // Who needs it tries again, and says what is missing.
    for (const load of loads) afterFirstPaint(load)().catch(() => {});
  });

export function notifyLoadFailure(): void {
  toastFailure(t("part.missing"), t("part.missingText"));
}

/** For a button whose popup is loaded when it is first opened. */
export function useLazyPopup(load: () => Promise<unknown>) {
  const [isLoaded, setLoaded] = useState(false);
  const show = () => void load().then(() => setLoaded(true), notifyLoadFailure);
  // A failed preload is not reported: a click tries again.
  const preload = () => void load().catch(() => {});
  return {
    isLoaded,
    show,
    buttonProps: { onPointerEnter: preload, onFocus: preload, onClick: show },
  };
}
