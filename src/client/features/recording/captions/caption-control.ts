import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { captionControl } from "#client/reading/reading-state.ts";
import { recordingSession } from "#client/state/recording.ts";

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
  try {
    const { openCaptions } = await load();
    close = await openCaptions(session, () => {
      close = null;
      publish();
    });
    // Another user may have signed in meanwhile.
    if (recordingSession.get() !== session) return close?.();
    publish({ isBlocked: close === null });
    if (close === null) forgetOnInput();
  } catch (cause) {
    console.warn("The captions could not be opened", cause);
    notifyLoadFailure();
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
