import type { RecognitionFailure } from "./browser/web-speech.ts";

/**
 * `idle`: no socket is needed. `reconnecting`: the socket was lost and is retried; audio is kept
 * meanwhile. `draining`: the microphone has stopped; the last words have not arrived yet.
 */
export type ConnectionState = "idle" | "connecting" | "live" | "reconnecting" | "draining";

/**
 * What recognises speech: the site's service in the room, this browser, a model on this device, or the demo in the room,
 * which writes the sample lecture at the pace of the sound.
 */
export const speechEngines = ["service", "browser", "device", "demo"] as const;
export type SpeechEngine = (typeof speechEngines)[number];

/** The room recognises for these. */
export const isRoomEngine = (engine: SpeechEngine): boolean =>
  engine === "service" || engine === "demo";

/** Why a model on this device gives no words. */
type DeviceFailure = "modelMissing" | "modelFailed" | "codecNotSupported";

/** Why words are missing: the engine does not work, or somebody has spoken for 6 s without a result. */
export interface SpeechProblem {
  engine: SpeechEngine;
  /** `demoOnly`: the site has no speech service, and the person has not chosen its demo. */
  reason: RecognitionFailure | "stalled" | DeviceFailure | "demoOnly";
}

/** Why stored sound still waits for its words. `notReached`: the lecture could not be opened. */
export type SpeechObstacle = "noModel" | "noLanguage" | "noTime" | "refused" | "notReached";
