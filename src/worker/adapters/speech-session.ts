import type { ProviderMessage, ProviderStart } from "#server/recording/room/events.ts";
import type { SpeechTerm } from "#shared/relay.ts";

/** Endpoint and key of a speech service, or of its stand-in. `url`: `ws:` or `wss:`. */
export type SpeechSettings =
  | {
      service: "Soniox";
      url: string;
      apiKey: string;
      /** How readily a sentence ends, -1 to 1; null: as the service has it. */
      endpointSensitivity: number | null;
    }
  | {
      service: "Deepgram";
      url: string;
      /** Empty for a server of one's own without keys. */
      apiKey: string;
      model: string;
      /** It answers `Finalize`, and changes keyterms by `Configure`. Other servers end a stream with an error. */
      hasFinalize: boolean;
      hasConfigure: boolean;
    };

interface SpeechHandlers {
  message(message: ProviderMessage): void;
  /** Called once, as the last event. */
  closed(code: number): void;
}

/** An open stream of the service. */
export interface SpeechSession {
  /** False: the service sends nothing while nobody speaks, so its silence says nothing. */
  answersSilence: boolean;
  sendAudio(data: Uint8Array): void;
  sendControl(type: "keepalive" | "finalize"): void;
  /** Replaces the terms of `start`. Missing where the service takes them only at the start. */
  changeTerms?(terms: readonly SpeechTerm[]): void;
  close(): void;
}

/**
 * Opens a stream with the settings of `start`.
 *
 * @throws when the connection cannot be made, or `signal` aborts before it is.
 */
export type OpenSpeechSession<Settings extends SpeechSettings> = (
  settings: Settings,
  start: ProviderStart,
  handlers: SpeechHandlers,
  signal: AbortSignal,
) => Promise<SpeechSession>;

/** Requests a socket. The response has none if the service refuses. */
export function requestSocket(
  url: string,
  authorization: string | null,
  signal: AbortSignal,
): Promise<Response> {
  // workerd upgrades http addresses and knows no ws scheme.
  return fetch(url.replace(/^ws/, "http"), {
    headers: { Upgrade: "websocket", ...(authorization && { Authorization: authorization }) },
    signal,
  });
}

/** The JSON in `text`; null if it is none. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== "string") return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Accepts `socket` and reports its messages, which are JSON, until it closes or `close` is called. */
export function attachSocket(
  socket: WebSocket,
  handlers: { message(body: unknown): void; closed(code: number): void },
): { send(data: string | Uint8Array): void; close(): void } {
  let isOpen = true;
  const end = (code: number) => {
    if (!isOpen) return;
    isOpen = false;
    handlers.closed(code);
  };
  socket.addEventListener("message", ({ data }) => {
    if (isOpen) handlers.message(parseJson(data));
  });
  socket.addEventListener("close", ({ code }) => end(code));
  socket.addEventListener("error", () => end(1006));
  socket.accept();
  socket.binaryType = "arraybuffer";
  return {
    // Sending on a closing socket throws; its close event reports the end.
    send(data) {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
    },
    close() {
      isOpen = false;
      socket.close(1000);
    },
  };
}
