import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { captionControl } from "#client/reading/reading-state.ts";
import { recordingSession } from "#client/state/recording.ts";
import { openCaptionWindow } from "./caption-window.ts";

/**
 * Offers the window with captions of this tab's recording, from the import of this module on; what it shows is loaded
 * when it is first opened. The window stays while another page or lecture is shown, and closes when the session ends.
 */

/** A touch screen alone shows one window at a time. */
const isOffered =
  "documentPictureInPicture" in window || !window.matchMedia("(pointer: coarse)").matches;

let close: (() => void) | null = null;
let isOpening = false;

async function load() {
  const [captions] = await Promise.all([
    import("./captions.tsx"),
    dialogMessages.load(),
    readingDialogMessages.load(),
  ]);
  return captions;
}

function publish({ isBlocked = false } = {}): void {
  const isOpen = close !== null;
  const preload = () => void load().catch(() => {});
  captionControl.set(
    isOffered && recordingSession.get()
      ? { isOpen, isBlocked, preload, toggle: () => void toggle() }
      : null,
  );
}

async function toggle(): Promise<void> {
  const session = recordingSession.get();
  if (close) return close();
  if (session === null || isOpening) return;
  isOpening = true;
  // In the click itself: some browsers (Safari) open no window after something has been waited for.
  const opening = openCaptionWindow();
  try {
    const [{ showCaptions }, shown] = await Promise.all([load(), opening]);
    if (shown === null) {
      publish({ isBlocked: true });
      forgetOnInput();
      return;
    }
    // The person may have closed it, or another user may have signed in meanwhile.
    if (shown.closed || recordingSession.get() !== session) return shown.close();
    showCaptions(session, shown, () => {
      close = null;
      publish();
    });
    close = () => shown.close();
    publish();
  } catch (cause) {
    console.warn("The captions could not be opened", cause);
    notifyLoadFailure();
    const shown = await opening.catch(() => null);
    shown?.close();
  } finally {
    isOpening = false;
  }
}

/** The note that the window was blocked goes when the person goes on. */
function forgetOnInput(): void {
  for (const kind of ["pointerdown", "keydown"] as const)
    window.addEventListener(kind, () => publish(), { once: true });
}

recordingSession.subscribe(() => {
  close?.();
  publish();
});
publish();
