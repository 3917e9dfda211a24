import type { CDPSession, Page } from "@playwright/test";

/** Open resources of a recording in a page. */
interface OpenResources {
  /** Open sockets of recordings, in the network layer. */
  sockets: number;
  /** Live microphone tracks. */
  liveTracks: number;
  /** Audio contexts that are not closed. */
  contexts: number;
  /** Worklet nodes that were not garbage-collected. */
  worklets: number;
  /** Pending timeouts and running intervals. */
  timers: number;
}

export interface LeakWatch {
  /** After a garbage collection. */
  countResources(): Promise<OpenResources>;
  /** Maximum number of sockets that were open at once. */
  getMaxSockets(): number;
  countLiveTracks(): Promise<number>;
}

/** Watches `page` through the DevTools protocol, from its next load on. */
export async function watchLeaks(page: Page): Promise<LeakWatch> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("HeapProfiler.enable");
  await cdp.send("Page.enable");
  const open = new Set<string>();
  let most = 0;
  cdp.on("Network.webSocketCreated", ({ requestId, url }) => {
    if (!url.includes("/api/recordings/")) return;
    open.add(requestId);
    most = Math.max(most, open.size);
  });
  cdp.on("Network.webSocketClosed", ({ requestId }) => open.delete(requestId));
  await cdp.send("Page.addScriptToEvaluateOnNewDocument", { source: timerTrackingScript });
  const liveTracks = () =>
    countObjects(cdp, "MediaStreamTrack", (track: MediaStreamTrack) => track.readyState === "live");

  return {
    getMaxSockets: () => most,
    countLiveTracks: liveTracks,
    async countResources() {
      await cdp.send("HeapProfiler.collectGarbage");
      const { result } = await cdp.send("Runtime.evaluate", { expression: "pendingTimers.size" });
      return {
        sockets: open.size,
        liveTracks: await liveTracks(),
        contexts: await countObjects(
          cdp,
          "AudioContext",
          (context: AudioContext) => context.state !== "closed",
        ),
        worklets: await countObjects(cdp, "AudioWorkletNode", () => true),
        timers: Number(result.value),
      };
    },
  };
}

/** Number of live objects of class `name` in the page that match `predicate`. */
async function countObjects<T>(
  cdp: CDPSession,
  name: string,
  predicate: (object: T) => boolean,
): Promise<number> {
  const objectGroup = "leaks";
  const prototype = await cdp.send("Runtime.evaluate", {
    expression: `${name}.prototype`,
    objectGroup,
  });
  const { objectId } = prototype.result;
  if (!objectId) throw new Error(`the page has no ${name}`);
  const { objects } = await cdp.send("Runtime.queryObjects", {
    prototypeObjectId: objectId,
    objectGroup,
  });
  const answer = await cdp.send("Runtime.callFunctionOn", {
    objectId: objects.objectId ?? "",
    functionDeclaration: `function () { return this.filter(${predicate.toString()}).length; }`,
    returnByValue: true,
  });
  // Objects held by the debugger would be counted again.
  await cdp.send("Runtime.releaseObjectGroup", { objectGroup });
  return Number(answer.result.value);
}

/** Runs before the page's own scripts. */
const timerTrackingScript = `(() => {
  const pending = new Set();
  window.pendingTimers = pending;
  const { setTimeout, clearTimeout, setInterval, clearInterval } = window;
  window.setTimeout = (run, ms, ...rest) => {
    const id = setTimeout(() => { pending.delete(id); run(...rest); }, ms);
    pending.add(id);
    return id;
  };
  window.setInterval = (run, ms, ...rest) => {
    const id = setInterval(run, ms, ...rest);
    pending.add(id);
    return id;
  };
  window.clearTimeout = (id) => { pending.delete(id); clearTimeout(id); };
  window.clearInterval = (id) => { pending.delete(id); clearInterval(id); };
})()`;
