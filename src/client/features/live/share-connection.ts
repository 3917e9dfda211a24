import { Signal } from "#client/lib/observable.ts";
import {
  ReconnectingSocket,
  type ReconnectingSocketPorts,
} from "#client/lib/reconnecting-socket.ts";
import type { TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { Backoff } from "#shared/limits.ts";
import type {
  ShareClientMessage,
  ShareEnd,
  ShareServerMessage,
  ShareStatus,
} from "#shared/share.ts";
import { applyShareMessage, canResume, ShareGap, type ShareView } from "#shared/share-view.ts";
import {
  shareCodeParam,
  shareEpochParam,
  shareLanguageParam,
  sharePing,
  sharePong,
  shareProbesParam,
  shareSinceParam,
  shareUnreadCode,
} from "#shared/site.ts";

const sharesPath = "/api/shares";
/** A whole class may lose its network at once. */
const retries: Backoff = { firstMs: 1_000, maxMs: 15_000, growth: 1.6, spread: [0.5, 1.5] };

/** What a reader has received, and over which connection. */
export interface ShareReading {
  /** Null before the first snapshot. */
  view: ShareView | null;
  /** `connecting`: for the first time. `lost`: tried again after a delay. `catchingUp`: what was missed is coming. */
  connection: "connecting" | "open" | "lost" | "catchingUp" | "closed";
  /** Why the server has closed the connection for good; null before. */
  end: ShareEnd | null;
  /** What the reader wants to read; `none`: the original alone. */
  language: TargetLanguage;
  /** The language that the reader wanted last, if it was refused. */
  refused: TranslationLanguage | null;
}

/** The connection of a reader to a share. Reconnects without a gap or a repeat, until the server closes it for good. */
export class ShareConnection {
  readonly reading: Signal<ShareReading>;
  readonly #socket: ReconnectingSocket;
  /** What was received cannot be continued. */
  #isBroken = false;

  /** @param code the secret of the link. */
  constructor(
    ports: ReconnectingSocketPorts,
    private readonly code: string,
    language: TargetLanguage,
  ) {
    this.reading = new Signal<ShareReading>({
      view: null,
      connection: "connecting",
      end: null,
      language,
      refused: null,
    });
    this.#socket = new ReconnectingSocket(ports, {
      ping: sharePing,
      retries,
      getPath: () => this.#getPath(),
      onOpen: () => {
        if (this.reading.get().connection === "lost") this.#set({ connection: "catchingUp" });
      },
      onMessage: (data) => {
        if (data !== sharePong) this.#receive(data);
      },
      onLost: (code) => {
        if (this.reading.get().end !== null) return null;
        this.#set({ connection: "lost" });
        return code === shareUnreadCode ? -retries.maxMs : 0;
      },
    });
  }

  chooseLanguage(language: TargetLanguage): void {
    this.#set({ language, refused: null });
    const message: ShareClientMessage = { type: "language", language };
    // Without a connection, the next one asks for it.
    if (this.reading.get().connection === "open") this.#socket.send(JSON.stringify(message));
    else if (this.#socket.isActive) this.#socket.connect();
  }

  /** Connects again after the server has closed the connection for good. */
  retry(): void {
    if (this.reading.get().end === null) return;
    this.#set({ end: null, connection: this.reading.get().view ? "lost" : "connecting" });
    this.#socket.connect();
  }

  /** The network or the person is back. */
  wake(): void {
    this.#socket.wake();
  }

  /** The device says that it has no network; the socket may not notice for a while. */
  lose(): void {
    this.#socket.lose();
  }

  #set(change: Partial<ShareReading>): void {
    this.reading.set({ ...this.reading.get(), ...change });
  }

  #getPath(): string {
    const { view, language } = this.reading.get();
    const query = new URLSearchParams({
      [shareCodeParam]: this.code,
      [shareLanguageParam]: language,
      [shareProbesParam]: "1",
    });
    if (!this.#isBroken && canResume(view, language)) {
      query.set(shareEpochParam, view.epoch);
      query.set(shareSinceParam, String(view.seq));
    }
    return `${sharesPath}?${query}`;
  }

  #receive(data: unknown): void {
    const message = parseMessage(data);
    if (message?.type === "probe") {
      this.#socket.send(String(data));
      return;
    }
    if (message?.type === "closed") {
      this.#set({ connection: "closed", end: message.reason });
      return;
    }
    const before = this.reading.get();
    try {
      if (message === null) throw new ShareGap("an unknown message");
      const view = applyShareMessage(message.type === "snapshot" ? null : before.view, message);
      this.#isBroken = false;
      const isComplete = view?.pagesLeft === 0;
      const connection = isComplete || before.view === null ? "open" : before.connection;
      this.#set({ view, connection, ...readRefusal(message, before) });
    } catch (error) {
      if (!(error instanceof ShareGap)) throw error;
      this.#isBroken = true;
      this.lose();
    }
  }
}

/** After a refusal the reader keeps what it has, or the original alone. */
function readRefusal(
  message: ShareServerMessage,
  { language, refused }: ShareReading,
): Pick<ShareReading, "language" | "refused"> | null {
  if (message.type !== "snapshot" && message.type !== "language") return null;
  // The refusal was of an earlier choice than this one, which was on the way.
  if (message.type === "language" && refused !== null)
    return message.isLanguageRefused ? null : { language: message.language, refused: null };
  if (!message.isLanguageRefused || language === "none") return { language, refused: null };
  return { language: message.language, refused: language };
}

/** Not by its schema: a parser would be a tenth of what the page loads. */
const messageTypes: Record<ShareServerMessage["type"], true> = {
  snapshot: true,
  delta: true,
  language: true,
  probe: true,
  closed: true,
};

function parseMessage(data: unknown): ShareServerMessage | null {
  if (typeof data !== "string") return null;
  try {
    const message = JSON.parse(data);
    return Object.hasOwn(messageTypes, message?.type) ? message : null;
  } catch {
    return null;
  }
}

/** What a reader is told of the lecture and of the connection. */
export type LiveStatus = ShareStatus | "connecting" | "lost" | "catchingUp" | "closed";

export function getLiveStatus({ view, connection }: ShareReading): LiveStatus {
  if (connection !== "open") return connection;
  return view?.status ?? "connecting";
}
