/** The audio cannot be read. */
export class AudioError extends Error {}

const headerBytes = 27;
const continuedFlag = 1;
const segmentBytes = 255;

/** Splits one logical stream of Ogg into its packets. Source: RFC 3533. */
export class OggReader {
  private bytes: Uint8Array = new Uint8Array(0);
  private partial: Uint8Array[] = [];
  private pages = 0;
  private serial: number | null = null;

  /** The packets that `more` completes. @throws AudioError */
  read(more: Uint8Array): Uint8Array[] {
    this.bytes = Buffer.concat([this.bytes, more]);
    const packets: Uint8Array[] = [];
    for (let page = this.takePage(); page !== null; page = this.takePage()) {
      let at = 0;
      for (const length of page.segments) {
        this.partial.push(page.body.subarray(at, at + length));
        at += length;
        if (length === segmentBytes) continue;
        packets.push(Buffer.concat(this.partial));
        this.partial = [];
      }
    }
    return packets;
  }

  /** The next page, or null if it is not complete. */
  private takePage(): { segments: Uint8Array; body: Uint8Array } | null {
    const { bytes } = this;
    if (!"OggS\0".startsWith(Buffer.from(bytes.subarray(0, 5)).toString("latin1")))
      throw new AudioError("no page of Ogg");
    const count = bytes[headerBytes - 1];
    if (count === undefined || bytes.length < headerBytes + count) return null;
    const segments = bytes.subarray(headerBytes, headerBytes + count);
    const begin = headerBytes + count;
    const end = segments.reduce((sum, length) => sum + length, begin);
    if (bytes.length < end) return null;
    this.checkPage(bytes.slice(0, end));
    this.bytes = bytes.subarray(end);
    return { segments, body: bytes.subarray(begin, end) };
  }

  private checkPage(page: Uint8Array): void {
    const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
    const serial = view.getUint32(14, true);
    const checksum = view.getUint32(22, true);
    view.setUint32(22, 0);
    if (checksum !== getChecksum(page)) throw new AudioError("a page is damaged");
    if (serial !== (this.serial ?? serial)) throw new AudioError("another stream");
    this.serial = serial;
    if (view.getUint32(18, true) !== this.pages) throw new AudioError("a page is missing");
    this.pages += 1;
    const isContinued = ((page[5] ?? 0) & continuedFlag) !== 0;
    if (isContinued !== this.partial.length > 0) throw new AudioError("half a packet");
  }
}

/** Bit by bit, as the RFC describes it: a division by 0x104c11db7. */
function getChecksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum << 1) ^ (sum < 0 ? 0x04c11db7 : 0);
  }
  return sum >>> 0;
}
