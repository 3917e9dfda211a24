import { t } from "#client/i18n/index.ts";
import { formatClock } from "#client/lib/dates.ts";
import { NestedObservable, Signal } from "#client/lib/observable.ts";
import { setRecordingTitle } from "#client/lib/title.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import { showOnLockScreen } from "./lock-screen.ts";
import { recordingSession } from "./recording.ts";

/**
 * The title of the browser's tab while a recording runs or is paused: `● 42:17 · Entropy`, or `⚠ No sound · 42:17 ·
 * Entropy`, with the product's name for a lecture that has only its date. Null for a lecture that is finished, or was not
 * recorded in this tab.
 */
export function formatRecordingTitle(view: SessionView): string | null {
  const { status, speechEngine, recordedSeconds, lecture, microphone } = view;
  const isDone = speechEngine === null || lecture?.status === "completed";
  if (status === "ready" || (status === "paused" && isDone)) return null;
  const name = `${formatClock(recordedSeconds)} · ${getName(view)}`;
  if (status === "paused") return `❚❚ ${name}`;
  const hasSound = microphone === "on" || microphone === "requesting" || microphone === "off";
  return hasSound ? `● ${name}` : `⚠ ${t("title.noSound")} · ${name}`;
}

const getName = ({ lecture }: SessionView): string =>
  lecture && lecture.titleSource !== "date" ? lecture.title : t("brand.name");

/** Shows the state of this tab's recording in its title, on every page but that of another lecture while it is paused, from the import of this module on. */
const view = new NestedObservable(
  recordingSession,
  (session) => session?.view ?? new Signal<SessionView | null>(null),
);
const update = () => {
  const shown = view.get();
  setRecordingTitle(shown && formatRecordingTitle(shown), shown?.status === "paused");
  showOnLockScreen(shown?.status === "recording" ? getName(shown) : null);
};
view.subscribe(update);
update();
