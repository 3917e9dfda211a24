/** Comes between a recording and who writes; an id has none. */
const separator = "#";
/** Behind everything that follows a separator. */
const last = "\uffff";

/** The key of what `writer` stores of a recording. */
export const keyOf = (recordingId: string, writer: string): string =>
  `${recordingId}${separator}${writer}`;

/** All keys of a recording: the bare one, under which pages wrote before each had its own, comes first. */
export const keysOf = (recordingId: string): readonly [string, string] => [
  recordingId,
  `${recordingId}${separator}${last}`,
];

/** True when `key` is one of the recording's. */
export const isKeyOf = (key: string, recordingId: string): boolean =>
  key === recordingId || key.startsWith(recordingId + separator);
