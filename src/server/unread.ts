import { sha256 } from "./auth/secrets.ts";

/**
 * How much of what was sent down a socket its reader has not read yet. The runtime keeps it in memory and does not say
 * how much it is, so the server sends marks between its messages, and the reader sends each of them back.
 */
export interface Unread {
  /** In all, since the socket was opened. */
  sentBytes: number;
  /** Those before the last mark that came back. */
  readBytes: number;
  /** `sentBytes` at each mark that has not come back, ascending. */
  marks: readonly number[];
}

/** A socket with more unread bytes is closed. One longer message is sent to a reader that has read everything. */
export const unreadMaxBytes = 256 * 1024;
/** A mark follows after so many bytes. */
const markIntervalBytes = 32 * 1024;
const markLength = 16;

export const createUnread = (): Unread => ({ sentBytes: 0, readBytes: 0, marks: [] });

export const getUnreadBytes = ({ sentBytes, readBytes }: Unread): number => sentBytes - readBytes;

export const fitsUnread = (unread: Unread, bytes: number, maxBytes = unreadMaxBytes): boolean =>
  getUnreadBytes(unread) === 0 || getUnreadBytes(unread) + bytes <= maxBytes;

export const addSent = (unread: Unread, bytes: number): Unread => ({
  ...unread,
  sentBytes: unread.sentBytes + bytes,
});

export const isMarkDue = ({ sentBytes, readBytes, marks }: Unread): boolean =>
  sentBytes - (marks.at(-1) ?? readBytes) >= markIntervalBytes;

/** @param secret nobody but the server knows it: a reader must not be able to guess marks that it has not read. */
export function addMark(unread: Unread, secret: string): { unread: Unread; mark: string } {
  const { sentBytes, marks } = unread;
  return { unread: { ...unread, marks: [...marks, sentBytes] }, mark: toMark(secret, sentBytes) };
}

/** A mark has come back: everything before it was read. Null if it is none that is expected. */
export function acceptMark(unread: Unread, secret: string, mark: string): Unread | null {
  const index = unread.marks.findIndex((bytes) => toMark(secret, bytes) === mark);
  const readBytes = unread.marks[index];
  return readBytes === undefined
    ? null
    : { ...unread, readBytes, marks: unread.marks.slice(index + 1) };
}

/** What was stored with the last mark, after the memory was lost: as much as possible was sent since. */
export const restoreUnread = (stored: Unread): Unread => addSent(stored, markIntervalBytes);

const toMark = (secret: string, sentBytes: number): string =>
  sha256(`${secret} ${sentBytes}`).slice(0, markLength);

const encoder = new TextEncoder();
export const countBytes = (text: string): number => encoder.encode(text).byteLength;
