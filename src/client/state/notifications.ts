import { Signal } from "#client/lib/signal.ts";

export interface ToastMessage {
  title: string;
  description?: string;
  /** `failure` interrupts a screen reader; the others wait for their turn. */
  kind: "success" | "info" | "failure";
  /** The way on. What has one stays for longer. */
  action?: { label: string; run: () => void };
}

interface AlertAction {
  label: string;
  run: () => void;
  /** Something is lost by it. */
  destructive?: boolean;
}

export interface AlertMessage {
  title: string;
  text: string;
  /** Ways out beside closing it, the best one last. Each closes it too. */
  actions?: readonly AlertAction[];
}

type ToastHandler = (message: ToastMessage) => void;

let toastHandler: ToastHandler | null = null;
const pendingToasts: ToastMessage[] = [];

/** True once there is anything to show: the widgets that show it are loaded then, not before. */
export const hasNotifications = new Signal(false);

export const alerts = new Signal<readonly AlertMessage[]>([]);

export function toast(message: ToastMessage): void {
  hasNotifications.set(true);
  if (toastHandler) toastHandler(message);
  else pendingToasts.push(message);
}

export const toastFailure = (title: string, description?: string): void =>
  toast({ kind: "failure", title, ...(description !== undefined && { description }) });

export function alertUser(message: AlertMessage): void {
  hasNotifications.set(true);
  alerts.set([...alerts.get(), message]);
}

export function dismissAlert(): void {
  alerts.set(alerts.get().slice(1));
}

/** The toast widget takes over: first what waited for it, then each as it comes. */
export function setToastHandler(show: ToastHandler): () => void {
  toastHandler = show;
  for (const message of pendingToasts.splice(0)) show(message);
  return () => {
    if (toastHandler === show) toastHandler = null;
  };
}
