/** Lets the program open without a network from the next visit on: its files are kept on this device. */
export function keepShell(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const register = () =>
    navigator.serviceWorker
      .register("/sw.js", { updateViaCache: "none" })
      .catch((failure: unknown) =>
        console.warn("The program is not kept for times without a network", failure),
      );
  // What the page itself needs comes first.
  if (document.readyState === "complete") void register();
  else window.addEventListener("load", () => void register(), { once: true });
}
