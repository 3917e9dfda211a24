import { afterEach, describe, expect, it, vi } from "vitest";
import { decodeOpus } from "#client/sound/codecs/opus-decoder.ts";

interface Output {
  numberOfFrames: number;
  sampleRate: number;
  copyTo(plane: Float32Array): void;
  close(): void;
}

/** Installs a decoder whose packet n becomes samples of n, at `sampleRate`; the first `delay` samples are left out. */
function installDecoder(sampleRate: number, delay = 0): { open: number } {
  const state = { open: 0 };
  class FakeDecoder {
    state = "unconfigured";
    #samples: number[] = [];
    constructor(private readonly init: { output(audio: Output): void }) {
      state.open += 1;
    }
    configure() {
      this.state = "configured";
    }
    decode({ data }: { data: Uint8Array }) {
      if (data[0] === 99) this.state = "closed";
      this.#samples.push(...Array<number>(sampleRate / 50).fill(data[0] ?? 0));
    }
    async flush() {
      if (this.state === "closed") {
        state.open -= 1;
        throw new DOMException("broken", "EncodingError");
      }
      const samples = this.#samples.slice(delay);
      for (let at = 0; at < samples.length; at += sampleRate / 50) {
        const part = samples.slice(at, at + sampleRate / 50);
        const copyTo = (plane: Float32Array) => plane.set(part);
        const audio = { numberOfFrames: part.length, sampleRate, copyTo, close: () => {} };
        this.init.output(audio);
      }
    }
    close() {
      state.open -= 1;
    }
  }
  vi.stubGlobal("AudioDecoder", FakeDecoder);
  vi.stubGlobal(
    "EncodedAudioChunk",
    class {
      readonly data: Uint8Array;
      constructor(init: { data: Uint8Array }) {
        this.data = init.data;
      }
    },
  );
  return state;
}

afterEach(() => vi.unstubAllGlobals());

const packets = (...values: number[]) => values.map((value) => Uint8Array.of(value));

describe("the browser's Opus decoder", () => {
  it.each([16_000, 48_000, 24_000])(
    "gives 320 samples for each packet, from %d Hz",
    async (rate) => {
      const state = installDecoder(rate);
      const samples = await decodeOpus(packets(1, 2, 3));
      expect(samples).toHaveLength(960);
      expect([samples[0], samples[319], samples[320], samples[959]]).toEqual([1, 1, 2, 3]);
      expect(state.open).toBe(0);
    },
  );

  it("keeps the last packets at their time where the first samples are left out", async () => {
    installDecoder(48_000, 312);
    const samples = await decodeOpus(packets(1, 2, 3));
    expect(samples).toHaveLength(960);
    expect([samples[320], samples[639], samples[640], samples[959]]).toEqual([2, 2, 3, 3]);
  });

  it("rejects what cannot be decoded, and leaves no decoder open", async () => {
    const state = installDecoder(48_000);
    await expect(decodeOpus(packets(1, 99))).rejects.toThrow("broken");
    expect(state.open).toBe(0);
  });

  it("rejects where there is no decoder", async () => {
    await expect(decodeOpus(packets(1))).rejects.toThrow();
  });
});
