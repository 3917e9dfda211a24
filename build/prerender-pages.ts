import { pathToFileURL } from "node:url";
import { Window } from "happy-dom";

/** `prerender-pages.ts <bundle> <document>`: prints the markup that the bundle of `prerender.ts` renders, as JSON. */
const [, , bundle = "", document] = process.argv;

// A phone in portrait that can record; the server never answers.
const window = new Window({ url: "https://localhost/", width: 412, height: 823 });
const names = [
  "document",
  "localStorage",
  "sessionStorage",
  "location",
  "history",
  "navigator",
  "addEventListener",
  "removeEventListener",
  "matchMedia",
  "requestAnimationFrame",
  "Element",
  "HTMLElement",
  "HTMLInputElement",
  "Node",
  "MutationObserver",
] as const;
const globals: Record<string, unknown> = {
  window,
  self: globalThis,
  fetch: () => new Promise(() => {}),
  WebSocket: EventTarget,
};
for (const name of names) {
  const value: unknown = Reflect.get(window, name);
  const isFunction = typeof value === "function" && !/^[A-Z]/.test(name);
  globals[name] = isFunction ? value.bind(window) : value;
}
Object.assign(window, { AudioWorkletNode: EventTarget });
Object.defineProperty(window.navigator, "mediaDevices", { value: { getUserMedia() {} } });
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

const { renderFirstPages } = await import(pathToFileURL(bundle).href);
const markup = await renderFirstPages(document);
process.stdout.write(JSON.stringify(markup), () => process.exit(0));
