import {
  type AudioSource,
  AudioSourceError,
  type Clock,
  type PageEvents,
  type RelayTransport,
  type SpoolStorage,
} from "../ports.ts";
import type { SessionPorts } from "../session-ports.ts";
import type { LinkSource } from "../sound-link.ts";
import { inputDevices } from "./input-devices.ts";
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

type LivePath = typeof import("./live-path.ts");

let livePath: LivePath | null = null;
let loading: Promise<LivePath> | null = null;

/** Microphone, spool and relay are fetched once, when they are wanted for the first time. */
function loadLivePath(): Promise<LivePath> {
  loading ??= import("./live-path.ts").then(
    (loaded) => {
      livePath = loaded;
      return loaded;
    },
    (error: unknown) => {
      // The network may be gone just now.
      loading = null;
      throw error;
    },
  );
  return loading;
}

const link: LinkSource = {
  loaded: () => livePath?.makeLink ?? null,
  load: async () => {
    await loadLivePath();
  },
};

const audio: AudioSource = {
  ...inputDevices,
  async open(handlers, signal, deviceId) {
    if (!inputDevices.supported()) throw new AudioSourceError("unsupported");
    const { openMicrophone } = await loadLivePath();
    return openMicrophone(clock, handlers, signal, deviceId);
  },
};

const transport: RelayTransport = {
  ...browserTransport,
  refusal: async (path) => (await loadLivePath()).refusal(path),
};

/** The spool on this device's disk. */
function diskSpool(): SpoolStorage {
  let made: Promise<SpoolStorage> | null = null;
  const spool = async () => {
    made ??= loadLivePath().then(({ IndexedDbSpool }) => new IndexedDbSpool(() => clock.now()));
    try {
      return await made;
    } catch (error) {
      made = null;
      throw error;
    }
  };
  return {
    parts: async (id) => (await spool()).parts(id),
    read: async (key) => (await spool()).read(key),
    chunks: async (key, from, to) => (await spool()).chunks(key, from, to),
    append: async (key, chunks) => (await spool()).append(key, chunks),
    release: async (key, seq, savedMs) => (await spool()).release(key, seq, savedMs),
    shift: async (key, delta) => (await spool()).shift(key, delta),
    forget: async (key) => (await spool()).forget(key),
    forgetAll: async (id) => (await spool()).forgetAll(id),
    sweep: async (before) => (await spool()).sweep(before),
  };
}

/** Begins with the time, so that a page opened later comes later. */
function pageName(): string {
  return `${clock.now().toString(36).padStart(9, "0")}-${crypto.randomUUID()}`;
}

/** The ports of the browser that this runs in. Touches nothing until used. */
export function browserPorts(): SessionPorts {
  return {
    clock,
    audio,
    transport,
    link,
    spool: typeof indexedDB === "undefined" ? null : diskSpool(),
    writer: pageName(),
    page,
    log: { warn: (event, fields) => console.warn(event, fields ?? {}) },
    claim,
    random: () => Math.random(),
    newId: () => crypto.randomUUID(),
  };
}
