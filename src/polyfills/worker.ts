import "./functions.ts";

// The module in which a page runs the program of a worker. Messages wait until that program listens.
const waiting: MessageEvent[] = [];

function keep(event: MessageEvent): void {
  event.stopImmediatePropagation();
  waiting.push(event);
}

function deliver(): void {
  removeEventListener("message", keep);
  for (const { data, ports } of waiting)
    dispatchEvent(new MessageEvent("message", { data, ports: [...ports] }));
}

addEventListener("message", keep);
// A failure reaches the page as the worker's `error`.
import(/* @vite-ignore */ location.hash.slice(1)).then(deliver, reportError);
