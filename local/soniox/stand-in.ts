import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import type { StandIn } from "#local/stand-in.ts";
import { failureControl, noFailures } from "./failure-injection.ts";
import { Session } from "./session.ts";
import { createSpeechStandIn } from "./speech-stand-in.ts";

export interface SonioxOptions {
  /** Time without audio or keepalive before error 408, ms. */
  idleMs?: number;
  /**
   * The key may come in the start message. The service refuses that from 15 January 2027 on; its client for Node (2.3.0)
   * knows no other way.
   */
  acceptsKeyInStart?: boolean;
}

/**
 * A stand-in for Soniox's realtime speech recognition: a WebSocket at `/soniox/transcribe-websocket`, and
 * failure injection at `/soniox/control` (`POST`: `failureControl`; `GET`: `SpeechReport`).
 */
export function createSonioxStandIn({
  idleMs = 20_000,
  acceptsKeyInStart = false,
}: SonioxOptions = {}): StandIn {
  const failures = { ...noFailures };
  return createSpeechStandIn<z.infer<typeof failureControl>, Session>({
    prefix: "/soniox/",
    streamPath: "transcribe-websocket",
    failureControl,
    apply({ reset, errorNow, closeNow, ...settings }, open) {
      if (reset) Object.assign(failures, noFailures);
      if (settings.errorOnStart !== undefined) failures.errorTimes = noFailures.errorTimes;
      Object.assign(failures, settings);
      for (const session of open) {
        if (errorNow !== undefined) session.fail(errorNow);
        else if (closeNow !== undefined) session.close(closeNow);
      }
    },
    accept: (request) => (socket) =>
      new Session(socket, { failures, bearer: parseBearer(request), acceptsKeyInStart, idleMs }),
  });
}

/** The bearer key (may be empty), or null if the header is missing or has another scheme. */
function parseBearer(request: IncomingMessage): string | null {
  return /^Bearer\s*(.*)$/i.exec(request.headers.authorization ?? "")?.[1] ?? null;
}
