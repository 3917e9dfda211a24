/**
 * When other files than MP4 and QuickTime say that they were recorded. A day without a time is none: a published recording
 * has the day of its publication.
 */

/** Where these tags are: at the beginning. */
const tagsMaxBytes = 64 * 1024;
const day = String.raw`(\d{4}-\d\d-\d\d)`;
const time = String.raw`(\d\d:\d\d(?::\d\d)?)`;
const zone = String.raw`(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?`;

/** Of Ogg and FLAC (Vorbis comments), and of MP3 (ID3v2.4). */
const comment = new RegExp(`(?:^|[^A-Z_])(?:DATE|CREATION_TIME)=${day}[T ]${time}${zone}`, "i");
const id3 = new RegExp(`TDRC.{1,8}?${day}[T ]${time}${zone}`, "s");
/** Of WAV, by most recorders (EBU Tech 3285): behind a description and two names of the recorder. */
const broadcastWave = /^.{320}(\d{4}[-:_/. ]\d\d[-:_/. ]\d\d)(\d\d[-:_/. ]\d\d[-:_/. ]\d\d)/s;

/** Without a zone it is the clock of who recorded, which is taken for this device's. */
function toMs([, date = "", clock = "", offset = ""]: readonly string[]): number | null {
  const text = `${date.replaceAll(/[^\d]/g, "-")}T${clock.replaceAll(/[^\d]/g, ":")}${offset}`;
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? null : ms;
}

const find = (text: string, pattern: RegExp) => {
  const match = pattern.exec(text);
  return match ? toMs(match) : null;
};

/** Of WebM and Matroska: ns since 2001, in UTC (RFC 9559, 5.1.2.10). */
function readMatroskaTime(bytes: DataView, text: string): number | null {
  const information = text.indexOf("\x15\x49\xa9\x66");
  const at = information < 0 ? -1 : text.indexOf("\x44\x61\x88", information);
  if (at < 0 || at > information + 4_096 || at + 11 > bytes.byteLength) return null;
  return Date.UTC(2001, 0) + Number(bytes.getBigInt64(at + 3) / 1_000_000n);
}

/** Of files with tags, ms since the epoch; null: it does not say, or is another file. */
export async function readTagTime(file: Blob): Promise<number | null> {
  const bytes = await file.slice(0, tagsMaxBytes).arrayBuffer();
  // A character for each byte: not even "latin1" of a TextDecoder gives that.
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  if (/^(?:OggS|fLaC)/.test(text)) return find(text, comment);
  if (text.startsWith("ID3")) return find(text.replaceAll("\0", ""), id3);
  if (text.startsWith("\x1a\x45\xdf\xa3")) return readMatroskaTime(new DataView(bytes), text);
  const isWav = /^(?:RIFF|RF64).{4}WAVE/s.test(text);
  const chunk = isWav ? text.indexOf("bext") : -1;
  return chunk < 0 ? null : find(text.slice(chunk + 8), broadcastWave);
}
