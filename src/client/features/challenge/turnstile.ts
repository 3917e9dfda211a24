import { trpc } from "#client/state/trpc.ts";
import type { SiteInfo } from "#shared/site.ts";

interface WidgetLook {
  action: string;
  theme: "light" | "dark";
  language: string;
}

/** The API of Cloudflare's `api.js`, as far as it is used here. */
interface Turnstile {
  render(
    element: HTMLElement,
    params: WidgetLook & {
      sitekey: string;
      appearance: "interaction-only";
      retry: "never";
      callback: (token: string) => void;
      "before-interactive-callback": () => void;
      /** Returning true means that the page handles the error. */
      "error-callback": (code: string) => boolean;
      "unsupported-callback": () => void;
    },
  ): string | undefined;
  remove(id: string): void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

interface WidgetEvents {
  onPass(token: string): void;
  /** The widget asks the user to interact. */
  onInteractive(): void;
  onFail(): void;
}

/** Time limit for loading and passing without interaction; an interactive widget has its own timeout. */
const timeoutMs = 20_000;

/** Shows the challenge in `element` and reports its result once. Returns a function that removes it. */
export function showWidget(
  element: HTMLElement,
  look: WidgetLook,
  events: WidgetEvents,
): () => void {
  let id: string | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    if (id !== undefined) window.turnstile?.remove(id);
    id = undefined;
  };
  const fail = (reason: unknown) => {
    if (isOver) return;
    console.warn("The challenge failed", reason);
    end();
    events.onFail();
  };
  const timer = setTimeout(fail, timeoutMs, "no answer");

  async function render(): Promise<void> {
    const { challenge } = await trpc.site.info.query();
    if (!challenge) throw new Error("The site has no challenge");
    const turnstile = await loadScript(challenge);
    if (isOver) return;
    id = turnstile.render(element, {
      ...look,
      sitekey: challenge.siteKey,
      appearance: "interaction-only",
      retry: "never",
      callback(token) {
        if (isOver) return;
        end();
        events.onPass(token);
      },
      "before-interactive-callback": () => {
        clearTimeout(timer);
        if (!isOver) events.onInteractive();
      },
      "error-callback": (code) => {
        fail(code);
        return true;
      },
      "unsupported-callback": () => fail("unsupported"),
    });
  }
  render().catch(fail);
  return end;
}

let loading: Promise<Turnstile> | null = null;

/** Loads `api.js` once; after a failure the next call tries again. */
function loadScript({ scriptUrl }: NonNullable<SiteInfo["challenge"]>): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = scriptUrl;
    script.addEventListener("load", () => {
      if (window.turnstile) resolve(window.turnstile);
      else reject(new Error("The script defines no widget"));
    });
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error("The script could not be loaded"));
    });
    document.head.append(script);
  }).catch((failure: unknown) => {
    loading = null;
    throw failure;
  });
  return loading;
}
