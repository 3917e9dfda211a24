import {
  acceptProbe,
  addProbe,
  addSent,
  countBytes,
  createUnread,
  fitsUnread,
  isProbeDue,
  unreadMaxBytes,
} from "#server/unread.ts";

/**
 * For a client that does not answer probes: a page of the version before, or a program. Nobody knows what it has read, and
 * each time it is closed it must connect again in the middle of a recording: after about ten minutes of speech.
 */
const unansweredMaxBytes = 2 * 1024 * 1024;

/** What the client of a recording has read of what it was sent. */
export class ClientReading {
  #unread = createUnread();
  readonly #secret = crypto.randomUUID();
  /** The client's `config` says so. */
  answersProbes = false;

  /** Counts a frame that is about to be sent. Returns false if too much is unread already. */
  add(frame: string): boolean {
    const bytes = countBytes(frame);
    const maxBytes = this.answersProbes ? unreadMaxBytes : unansweredMaxBytes;
    if (!fitsUnread(this.#unread, bytes, maxBytes)) return false;
    this.#unread = addSent(this.#unread, bytes);
    return true;
  }

  /** The probe that must follow now, or null. */
  createProbe(): string | null {
    if (!this.answersProbes || !isProbeDue(this.#unread)) return null;
    const { unread, probe } = addProbe(this.#unread, this.#secret);
    this.#unread = unread;
    return probe;
  }

  /** A probe has come back. One that was not sent says nothing. */
  accept(probe: string): void {
    this.#unread = acceptProbe(this.#unread, this.#secret, probe) ?? this.#unread;
  }
}
