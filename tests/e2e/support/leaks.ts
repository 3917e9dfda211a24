import type { CDPSession, Page } from "@playwright/test";

/** What a page holds of the things that a recording opens. */
interface OpenResources {
  /** Sockets of recordings that are open, as the network layer saw them. */
  sockets: number;
  /** Tracks of a microphone that still deliver. */
  liveTracks: number;
  /** Audio contexts that are not closed. */
  contexts: number;
  /** Worklet nodes that garbage collection could not take. */
  worklets: number;
  /** Timeouts that were set and neither ran nor were cleared, and running intervals. */
  timers: number;
}

export interface LeakWatch {
  /** After a garbage collection. */
  countResources(): Promise<OpenResources>;
  /** The most sockets that were open at once, ever. */
  getMaxSockets(): number;
  /** Tracks that deliver at this moment. */
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

/** How many living objects of class `name` in the page satisfy `wanted`. */
async function countObjects<T>(
  cdp: CDPSession,
  name: string,
  wanted: (object: T) => boolean,
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
    functionDeclaration: `function () { return this.filter(${wanted.toString()}).length; }`,
    returnByValue: true,
  });
  // Held by the debugger, they would be counted again.
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
