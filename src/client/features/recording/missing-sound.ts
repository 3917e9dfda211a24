import { toastFailure } from "#client/lib/notifications.ts";
import { t } from "./dialog-messages/index.ts";

/** What was lost while nobody saw the page, seconds. */
let unseenSeconds = 0;

/** Says how much sound was lost: where the page is not seen, of all together when the person returns. */
export function notifyMissingSound(seconds: number): void {
  const isWaiting = unseenSeconds > 0;
  unseenSeconds += seconds;
  if (!document.hidden) show();
  else if (!isWaiting) document.addEventListener("visibilitychange", showWhenSeen);
}

function showWhenSeen(): void {
  if (document.hidden) return;
  document.removeEventListener("visibilitychange", showWhenSeen);
  show();
}

function show(): void {
  const rounded = Math.max(1, Math.round(unseenSeconds));
  const lost = { minutes: Math.floor(rounded / 60), seconds: rounded % 60 };
  unseenSeconds = 0;
  toastFailure(t("notice.soundMissing"), t("notice.soundMissingText", lost));
}
