import { Signal } from "#client/lib/signal.ts";

/** False while this device says that it has no network at all. True promises nothing. */
export const online = new Signal(navigator.onLine);

const update = () => online.set(navigator.onLine);
window.addEventListener("online", update);
window.addEventListener("offline", update);
