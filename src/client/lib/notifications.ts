import { Signal } from "#client/lib/observable.ts";

/** `form`: over also once a form is submitted, because it may be corrected. */
type ToastState = "recording" | "form";

export interface ToastMessage {
  title: string;
  description?: string;
  /** `failure` interrupts a screen reader; the others are announced politely. */
  kind: "success" | "info" | "failure";
  /** It takes the place of a toast of this name that is shown or waits: the state of which that one told is over. */
  state?: ToastState;
  /** A button. A toast with one is shown for longer. */
  action?: { label: string; run: () => void };
}

interface AlertAction {
  label: string;
  run: () => void;
  /** Something is lost by choosing it. */
  destructive?: boolean;
}

export interface AlertMessage {
  /** All that is said where there is no `text`. */
  title: string;
  text?: string;
  /** Buttons beside the one that closes it, the recommended one last. Each closes it too. */
  actions?: readonly AlertAction[];
}

type ToastHandler = (message: ToastMessage) => void;

let toastHandler: ToastHandler | null = null;
const pendingToasts: ToastMessage[] = [];

/** True once there is anything to show: only then the components that show it are loaded. */
export const hasNotifications = new Signal(false);

export const alerts = new Signal<readonly AlertMessage[]>([]);

export function toast(message: ToastMessage): void {
  hasNotifications.set(true);
  if (toastHandler) toastHandler(message);
  else pendingToasts.push(message);
}

export const toastFailure = (title: string, description?: string): void =>
  toast({ kind: "failure", title, ...(description !== undefined && { description }) });

/** Copies `text`, and says `copied`, or in `failure` why not. */
export async function copyText(
  text: string,
  copied: string,
  failure: Parameters<typeof toastFailure>,
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ kind: "success", title: copied });
  } catch {
    toastFailure(...failure);
  }
}

export function alertUser(message: AlertMessage): void {
  hasNotifications.set(true);
  alerts.set([...alerts.get(), message]);
}

/** Closes `message`, or leaves it out: what it says is over. */
export function withdrawAlert(message: AlertMessage): void {
  alerts.set(alerts.get().filter((one) => one !== message));
}

export function dismissAlert(): void {
  alerts.set(alerts.get().slice(1));
}

/** Sends the pending toasts, and then each new one, to `show`. Returns a function that stops it. */
export function setToastHandler(show: ToastHandler): () => void {
  toastHandler = show;
  for (const message of pendingToasts.splice(0)) show(message);
  return () => {
    if (toastHandler === show) toastHandler = null;
  };
}
