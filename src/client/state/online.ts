import { Signal } from "#client/lib/signal.ts";

/** False while the device reports no network at all. True does not mean that the server can be reached. */
export const online = new Signal(navigator.onLine);

const update = () => online.set(navigator.onLine);
window.addEventListener("online", update);
window.addEventListener("offline", update);
