/** Kinds of files that no browser reads, or only some do, and what they are called. */
export const foreignFormats = {
  amr: "AMR",
  windowsMedia: "Windows Media (WMA, WMV)",
  avi: "AVI",
  realMedia: "RealMedia",
  flashVideo: "Flash Video (FLV)",
  mpegProgram: "MPEG (MPG, VOB)",
  dictation: "Digital Speech Standard (DSS, DS2)",
  aiff: "AIFF",
  coreAudio: "Core Audio (CAF)",
  monkeysAudio: "Monkey’s Audio (APE)",
  wavPack: "WavPack",
  dolby: "Dolby Digital (AC-3)",
  sun: "Sun Audio (AU)",
  midi: "MIDI",
} as const;
export type ForeignFormat = keyof typeof foreignFormats;

export const isForeignFormat = (text: string): text is ForeignFormat =>
  Object.hasOwn(foreignFormats, text);

/** How files begin, as Latin-1; `?`: any byte. */
const beginnings: readonly [format: ForeignFormat, beginning: string][] = [
  ["amr", "#!AMR"],
  ["windowsMedia", "\x30\x26\xb2\x75\x8e\x66\xcf\x11"],
  ["avi", "RIFF????AVI "],
  ["realMedia", ".RMF"],
  ["realMedia", ".ra\xfd"],
  ["flashVideo", "FLV\x01"],
  ["mpegProgram", "\x00\x00\x01\xba"],
  ["dictation", "?dss"],
  ["dictation", "?ds2"],
  ["aiff", "FORM????AIFF"],
  ["aiff", "FORM????AIFC"],
  ["coreAudio", "caff"],
  ["monkeysAudio", "MAC "],
  ["wavPack", "wvpk"],
  ["dolby", "\x0b\x77"],
  ["sun", ".snd"],
  ["midi", "MThd"],
];

/** What `file` is by its first bytes; null: none of these. */
export async function findForeignFormat(file: Blob): Promise<ForeignFormat | null> {
  const bytes = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const isThere = (beginning: string) =>
    Array.from(beginning).every(
      (letter, at) => letter === "?" || letter.charCodeAt(0) === bytes[at],
    );
  return beginnings.find(([, beginning]) => isThere(beginning))?.[0] ?? null;
}

/** Names of kinds of sound in MP4 and 3GP files (RFC 6381) that no browser decodes. */
const foreignCodecs: ReadonlyMap<unknown, ForeignFormat> = new Map([
  ["samr", "amr"],
  ["sawb", "amr"],
]);

export const findForeignCodec = (codecId: unknown): ForeignFormat | null =>
  foreignCodecs.get(codecId) ?? null;
