import { t } from "#client/i18n/index.ts";
import { recordingSession } from "./recording.ts";

let shownTitle: string | null = null;

/**
 * Shows the recording of lecture `title` among the device's media controls and on its lock screen, where the browser does
 * that for a page that records, and lets it be stopped there; null: nothing is recorded. There is no handler for `pause`,
 * which headphones send when they are taken off.
 */
export function showOnLockScreen(title: string | null): void {
  const controls = navigator.mediaSession;
  if (controls === undefined || title === shownTitle) return;
  shownTitle = title;
  const artist = t("nav.recordingNow");
  controls.metadata = title === null ? null : new MediaMetadata({ title, artist });
  controls.playbackState = title === null ? "none" : "playing";
  const stop = () => void recordingSession.get()?.stop();
  controls.setActionHandler("stop", title === null ? null : stop);
}
