import type { Clock, PageEvents, SessionPorts } from "../ports.ts";
import { IndexedDbSpool } from "../spool/indexed-db.ts";
import { MicrophoneSource } from "./audio-source.ts";
import { browserTransport } from "./transport.ts";
import { keepAwake } from "./wake-lock.ts";

const clock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

const page: PageEvents = {
  onWake(listener) {
    const visible = () => {
      if (document.visibilityState === "visible") listener();
    };
    addEventListener("online", listener);
    document.addEventListener("visibilitychange", visible);
    return () => {
      removeEventListener("online", listener);
      document.removeEventListener("visibilitychange", visible);
    };
  },
  onHide(listener) {
    const hidden = () => {
      if (document.visibilityState === "hidden") listener();
    };
    addEventListener("pagehide", listener);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      removeEventListener("pagehide", listener);
      document.removeEventListener("visibilitychange", hidden);
    };
  },
  keepAwake,
};

/** Holds a Web Lock until let go; without the Locks API every claim is granted. */
function claim(recordingId: string): Promise<(() => void) | null> {
  if (navigator.locks === undefined) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    void navigator.locks
      .request(`dualect-recording-${recordingId}`, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          resolve(null);
          return;
        }
        return new Promise<void>((release) => resolve(() => release()));
      })
      .catch(() => resolve(() => {}));
  });
}

/** The ports of the browser that this runs in. Touches nothing until used. */
export function browserPorts(): SessionPorts {
  return {
    clock,
    audio: new MicrophoneSource(clock),
    transport: browserTransport,
    spool: typeof indexedDB === "undefined" ? null : new IndexedDbSpool(() => clock.now()),
    page,
    log: { warn: (event, fields) => console.warn(event, fields ?? {}) },
    claim,
    random: () => Math.random(),
    newId: () => crypto.randomUUID(),
  };
}
