import { randomUUID } from "node:crypto";
import { createSpeechStandIn } from "#local/soniox/speech-stand-in.ts";
import { isValidKey } from "#local/soniox/start-message.ts";
import type { StandIn } from "#local/stand-in.ts";
import {
  createRefusal,
  failureControl,
  noFailures,
  type RefusalStatus,
} from "./failure-injection.ts";
import { createReader, Session, streamParameters } from "./session.ts";

/**
 * A stand-in for Deepgram's live transcription: a WebSocket at `/deepgram/v1/listen`, and failure
 * injection at `/deepgram/control` (`POST`: `failureControl`; `GET`: `SpeechReport`). Hears what the
 * stand-in of Soniox hears.
 *
 * @param idleMs time without audio or text before a stream is closed; 10 s at the service.
 * @param needsKey false: as a server of one's own.
 */
export function createDeepgramStandIn({ idleMs = 10_000, needsKey = true } = {}): StandIn {
  const failures = { ...noFailures };
  const refuse = (status: RefusalStatus) => ({ status, body: createRefusal(status, randomUUID()) });
  return createSpeechStandIn({
    prefix: "/deepgram/",
    streamPath: "v1/listen",
    failureControl,
    apply({ reset, closeNow, ...settings }, open) {
      if (reset) Object.assign(failures, noFailures);
      if (settings.refuseWith !== undefined) failures.refuseTimes = noFailures.refuseTimes;
      Object.assign(failures, settings);
      if (closeNow !== undefined) for (const session of open) session.close(closeNow);
    },
    accept(request, url) {
      const hints = url.searchParams.getAll("language_hint");
      const keyterms = url.searchParams.getAll("keyterm");
      const { data: parameters } = streamParameters.safeParse({
        ...Object.fromEntries(url.searchParams),
        ...(hints.length > 0 && { language_hint: hints }),
        ...(keyterms.length > 0 && { keyterm: keyterms }),
      });
      const key = /^(?:Token|Bearer)\s+(.*)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
      if (failures.refuseWith !== null && failures.refuseTimes > 0) {
        failures.refuseTimes -= 1;
        return refuse(failures.refuseWith);
      }
      if (needsKey && !isValidKey(key)) return refuse(401);
      if (!parameters || parameters.model.startsWith("no-such")) return refuse(400);
      if (failures.refuseKeyterms && keyterms.length > 0) return refuse(400);
      return createReader(parameters).then(
        (reader) => (socket) => new Session(socket, parameters, { failures, idleMs, reader }),
      );
    },
  });
}
