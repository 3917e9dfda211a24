import { sha256 } from "./auth/secrets.ts";

/**
 * How much of what was sent down a socket its reader has not read yet. The runtime keeps it in memory and does not say
 * how much it is, so the server sends probes between its messages, and the reader sends each of them back.
 */
export interface Unread {
  /** In all, since the socket was opened. */
  sentBytes: number;
  /** Those before the last probe that came back. */
  readBytes: number;
  /** `sentBytes` at each probe that has not come back, ascending. */
  probes: readonly number[];
}

/**
 * A socket with more unread bytes is closed. One longer message is sent to a reader that has read everything. With what the
 * connection itself takes, a reader that reads nothing costs less than 320 KiB.
 */
export const unreadMaxBytes = 192 * 1024;
/** A probe follows after so many bytes. */
const probeIntervalBytes = 32 * 1024;
const probeLength = 16;

export const createUnread = (): Unread => ({ sentBytes: 0, readBytes: 0, probes: [] });

export const getUnreadBytes = ({ sentBytes, readBytes }: Unread): number => sentBytes - readBytes;

export const fitsUnread = (unread: Unread, bytes: number, maxBytes = unreadMaxBytes): boolean =>
  getUnreadBytes(unread) === 0 || getUnreadBytes(unread) + bytes <= maxBytes;

export const addSent = (unread: Unread, bytes: number): Unread => ({
  ...unread,
  sentBytes: unread.sentBytes + bytes,
});

export const isProbeDue = ({ sentBytes, readBytes, probes }: Unread): boolean =>
  sentBytes - (probes.at(-1) ?? readBytes) >= probeIntervalBytes;

/** @param secret nobody but the server knows it: a reader must not be able to guess probes that it has not read. */
export function addProbe(unread: Unread, secret: string): { unread: Unread; probe: string } {
  const { sentBytes, probes } = unread;
  return {
    unread: { ...unread, probes: [...probes, sentBytes] },
    probe: toProbe(secret, sentBytes),
  };
}

/** A probe has come back: everything before it was read. Null if it is none that is expected. */
export function acceptProbe(unread: Unread, secret: string, probe: string): Unread | null {
  const index = unread.probes.findIndex((bytes) => toProbe(secret, bytes) === probe);
  const readBytes = unread.probes[index];
  return readBytes === undefined
    ? null
    : { ...unread, readBytes, probes: unread.probes.slice(index + 1) };
}

/** What was stored with the last probe, after the memory was lost: as much as possible was sent since. */
export const restoreUnread = (stored: Unread): Unread => addSent(stored, probeIntervalBytes);

const toProbe = (secret: string, sentBytes: number): string =>
  sha256(`${secret} ${sentBytes}`).slice(0, probeLength);

const encoder = new TextEncoder();
export const countBytes = (text: string): number => encoder.encode(text).byteLength;
