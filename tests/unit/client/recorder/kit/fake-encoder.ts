import type { PacketEncoder, PacketHandlers } from "#client/sound/capture/chunk-encoder.ts";
import { opusChunkMs, opusPacketMs } from "#shared/opus.ts";
import { createFakePacket } from "./fake-packets.ts";
import type { ManualClock } from "./manual-clock.ts";
import { findWord } from "./simulated-room.ts";

const encodingMs = 5;

/** An Opus encoder that can be refused, stall and fail. */
export class FakeEncoder {
  /** Packets do not come back, nor later. */
  isStalled = false;
  isRefused = false;
  /** Encoders that are open. */
  openCount = 0;
  readonly #clock: ManualClock;
  #handlers: PacketHandlers | null = null;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** The open encoder fails. */
  fail(): void {
    this.#handlers?.failed();
  }

  readonly open = (handlers: PacketHandlers): PacketEncoder => {
    if (this.isRefused) throw new DOMException("refused", "NotSupportedError");
    this.openCount += 1;
    this.#handlers = handlers;
    let chunk = 0;
    let isOpen = true;
    let encoding = Promise.resolve();
    return {
      encode: (pcm) => {
        const packet = createFakePacket(chunk, findWord(pcm));
        chunk += 1;
        encoding = new Promise((resolve) => {
          this.#clock.after(encodingMs, () => {
            if (this.isStalled || !isOpen) return;
            for (let ms = 0; ms < opusChunkMs; ms += opusPacketMs) handlers.packet(packet);
            resolve();
          });
        });
      },
      flush: () => encoding,
      close: () => {
        isOpen = false;
        this.openCount -= 1;
        if (this.#handlers === handlers) this.#handlers = null;
      },
    };
  };
}
