import { vi } from "vitest";

/** A track that a test ends or mutes. */
export class FakeTrack {
  muted = false;
  isStopped = false;
  onended: (() => void) | null = null;
  onmute: (() => void) | null = null;
  onunmute: (() => void) | null = null;
  /** What the source plays now, -1 to 1. */
  sample = 0;
  constructor(
    readonly kind: "audio" | "video",
    readonly label = "",
  ) {}
  getSettings = () => ({});
  stop() {
    this.isStopped = true;
  }
}

export class FakeStream {
  constructor(readonly tracks: FakeTrack[]) {}
  getTracks = () => this.tracks;
  getAudioTracks = () => this.tracks.filter(({ kind }) => kind === "audio");
  getVideoTracks = () => this.tracks.filter(({ kind }) => kind === "video");
}

class FakeNode {
  readonly targets: FakeNode[] = [];
  readonly stream = new FakeStream([new FakeTrack("audio")]);
  input: FakeNode | null = null;
  track: FakeTrack | null = null;
  constructor(readonly context: FakeContext | null = null) {}
  connect(target: FakeNode) {
    this.targets.push(target);
    target.input = this;
    return target;
  }
  disconnect() {
    this.targets.length = 0;
  }
  getFloatTimeDomainData(samples: Float32Array) {
    samples.fill(this.input?.track?.sample ?? 0);
  }
}

/** Counts what leads to the speakers. */
export class FakeContext {
  readonly sampleRate = 16_000;
  readonly destination = new FakeNode();
  readonly sources: FakeNode[] = [];
  createMediaStreamSource(stream: FakeStream) {
    const node = new FakeNode(this);
    node.track = stream.getAudioTracks()[0] ?? null;
    this.sources.push(node);
    return node;
  }
}

/** A browser whose person shares `display` and has `microphone`; an error name: it is refused. */
export function stubBrowser(
  display: FakeStream | string,
  microphone: FakeStream | string = "NotFoundError",
  known: Record<string, boolean> = { suppressLocalAudioPlayback: true },
) {
  const answer = (stream: FakeStream | string) => async () => {
    if (typeof stream === "string") throw new DOMException("refused", stream);
    return stream;
  };
  const devices = {
    getDisplayMedia: vi.fn(answer(display)),
    getUserMedia: vi.fn(answer(microphone)),
    getSupportedConstraints: () => known,
  };
  vi.stubGlobal("navigator", { mediaDevices: devices });
  vi.stubGlobal("MediaStream", FakeStream);
  for (const name of ["GainNode", "AnalyserNode", "MediaStreamAudioDestinationNode"])
    vi.stubGlobal(name, FakeNode);
  return devices;
}

export const createTab = (...kinds: ("audio" | "video")[]) =>
  new FakeStream(kinds.map((kind) => new FakeTrack(kind)));
