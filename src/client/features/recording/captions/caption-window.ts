import { getWindowSize, storeWindowSize, type WindowSize } from "./caption-settings.ts";

declare global {
  interface Window {
    /** Windows that stay on top: Chromium and Firefox on desks. */
    readonly documentPictureInPicture?: {
      requestWindow(options: WindowSize): Promise<Window>;
    };
  }
}

/** Fetching a style sheet that the page has takes no longer, ms. */
const stylesWaitMs = 2_000;

/**
 * Opens a small window with the page's styles and an empty body: one that stays on top, or else a usual one. Null where
 * the browser refuses both. The window remembers its size. It is closed with the page.
 */
export async function openCaptionWindow(): Promise<Window | null> {
  const size = getWindowSize();
  // Without waiting where there are only usual windows: some browsers open them in the click itself, and not later.
  const hasOnTop = window.documentPictureInPicture !== undefined;
  const shown = (hasOnTop ? await openOnTop(size) : null) ?? openPopup(size);
  if (shown === null) return null;
  const close = () => shown.close();
  window.addEventListener("pagehide", close);
  shown.addEventListener("pagehide", () => window.removeEventListener("pagehide", close));
  shown.addEventListener("resize", () => {
    const { innerWidth: width, innerHeight: height } = shown;
    storeWindowSize({ width, height });
  });
  await copyStyles(shown.document);
  return shown;
}

async function openOnTop(size: WindowSize): Promise<Window | null> {
  try {
    return (await window.documentPictureInPicture?.requestWindow(size)) ?? null;
  } catch (cause) {
    // Some browsers have the interface and no such windows.
    console.warn("No window that stays on top", cause);
    return null;
  }
}

function openPopup({ width, height }: WindowSize): Window | null {
  const popup = window.open("", "dualect-captions", `popup,width=${width},height=${height}`);
  if (popup === null) return null;
  // In place of what a page that was lost has left there; with a doctype, because lines are laid out otherwise without.
  popup.document.open();
  popup.document.write("<!doctype html><html><head></head><body></body></html>");
  popup.document.close();
  return popup;
}

/** Resolves when the styles apply. */
async function copyStyles(target: Document): Promise<void> {
  const sheets = document.querySelectorAll<HTMLElement>('link[rel="stylesheet"], style');
  const loading = [...sheets].map((sheet) => {
    const copy = target.importNode(sheet, true);
    const loaded = new Promise<void>((resolve) => {
      copy.onload = () => resolve();
      copy.onerror = () => resolve();
    });
    if (sheet instanceof HTMLLinkElement) copy.setAttribute("href", sheet.href);
    target.head.append(copy);
    return sheet instanceof HTMLLinkElement ? loaded : null;
  });
  const late = new Promise((resolve) => setTimeout(resolve, stylesWaitMs));
  await Promise.race([Promise.all(loading), late]);
}
