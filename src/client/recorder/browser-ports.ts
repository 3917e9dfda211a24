import { browserClock, onWake } from "#client/lib/clock.ts";
import { browserLog } from "#client/lib/log.ts";
import { connectSocket } from "#client/lib/socket.ts";
import { keepAwake } from "#client/lib/wake-lock.ts";
import type { RelayTransport } from "#client/recognition/room/transport.ts";
import type { PageEvents, SessionPorts } from "#client/recorder/session-ports.ts";
import { type AudioSource, AudioSourceError } from "#client/sound/capture/audio-ports.ts";

const page: PageEvents = {
  onWake,
  onHide(listener) {
    const hidden = () => {
      if (document.visibilityState === "hidden") listener();
    };
    // A person may leave the question whether to leave unanswered, and end the browser.
    const leaving = ["beforeunload", "pagehide"] as const;
    for (const type of leaving) addEventListener(type, listener);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      for (const type of leaving) removeEventListener(type, listener);
      document.removeEventListener("visibilitychange", hidden);
    };
  },
  keepAwake,
};

/** Holds a Web Lock until it is released; without the Locks API every claim is granted. */
export function claim(id: string): Promise<(() => void) | null> {
  if (navigator.locks === undefined) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    void navigator.locks
      .request(`dualect-recording-${id}`, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          resolve(null);
          return;
        }
        return new Promise<void>((release) => resolve(() => release()));
      })
      .catch(() => resolve(() => {}));
  });
}

type LivePathModule = typeof import("#client/recognition/live-path.ts");

let loading: Promise<LivePathModule> | null = null;

/** Microphone, takes and relay are a chunk of their own, loaded on first use. */
function loadLivePathModule(): Promise<LivePathModule> {
  loading ??= import("#client/recognition/live-path.ts").catch((error: unknown) => {
    // Possibly offline: the next call tries again.
    loading = null;
    throw error;
  });
  return loading;
}

/** Ids under which a browser lists an input a second time. */
const aliases: ReadonlySet<string> = new Set(["", "default", "communications"]);

const audio: AudioSource = {
  isSupported: () =>
    typeof AudioWorkletNode === "function" && navigator.mediaDevices?.getUserMedia !== undefined,
  async open(handlers, signal, options) {
    if (!audio.isSupported()) throw new AudioSourceError("unsupported");
    return (await loadLivePathModule()).openSound(handlers, signal, options);
  },
  async listDevices() {
    try {
      const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
      const inputs = devices.filter(({ kind }) => kind === "audioinput");
      // Chromium lists the default as an alias; other browsers list it first.
      const alias = inputs.find(({ deviceId }) => deviceId === "default");
      const isDefault = ({ groupId, label }: MediaDeviceInfo) =>
        groupId === alias?.groupId && alias.label.endsWith(label);
      return (
        inputs
          // Without the permission the browser lists one input with an empty id.
          .filter(({ deviceId }) => !aliases.has(deviceId))
          .toSorted((a, b) => Number(isDefault(b)) - Number(isDefault(a)))
          .map(({ deviceId, label }) => ({ id: deviceId, label }))
      );
    } catch {
      return [];
    }
  },
  onDeviceChange(listener) {
    const devices = navigator.mediaDevices;
    // Absent on pages without HTTPS.
    if (devices?.addEventListener === undefined) return () => {};
    devices.addEventListener("devicechange", listener);
    return () => devices.removeEventListener("devicechange", listener);
  },
};

const transport: RelayTransport = {
  connect: connectSocket,
  fetchRefusal: async (path) => (await loadLivePathModule()).fetchRefusal(path),
};

/** The ports of the current browser. Has no effect until they are used. */
export function browserPorts(): SessionPorts {
  return {
    clock: browserClock,
    audio,
    transport,
    loadLivePath: async () => (await loadLivePathModule()).livePath,
    page,
    log: browserLog,
    claim,
    tabId: crypto.randomUUID(),
    random: () => Math.random(),
    newId: () => crypto.randomUUID(),
  };
}
