import { WebSocket } from "ws";
import { z } from "zod";
import { parseJson } from "#local/json-body.ts";
import { writeOggChunk } from "#shared/ogg-opus.ts";
import { opusChunkMs, opusPacketsPerChunk, silentOpusPacket } from "#shared/opus.ts";
import { toDeepgramUrl } from "#worker/adapters/deepgram-address.ts";
import { hasIntegration, type SettingName } from "#worker/settings.ts";

/**
 * Looks for a speech server with Deepgram's protocol on this machine. Anything may listen at these addresses, so a
 * server is taken only if it counts a second of silence, as Opus and as PCM.
 */

/** Standard addresses of the servers that people run on their own machine. */
const standardUrls = [
  // WhisperLiveKit
  "ws://127.0.0.1:8000/v1/listen",
  // Deepgram's own containers
  "ws://127.0.0.1:8080/v1/listen",
  // Argmax Local Server
  "ws://127.0.0.1:50060/v1/listen",
];

export interface LocalSpeechServer {
  /** Address of its streams. */
  url: string;
  /** False if a stream does not survive a `Finalize`. */
  hasFinalize: boolean;
}

interface Limits {
  /** Time for the answer to the upgrade. */
  upgradeMs: number;
  /** Time from the connection to the end of a stream. */
  streamMs: number;
}

const defaultLimits: Limits = { upgradeMs: 1_000, streamMs: 3_000 };

/**
 * The first server on this machine that speaks Deepgram's protocol. Null without one, and where the environment
 * configures speech itself (`SPEECH=demo`, `SPEECH_PROVIDER`, `SONIOX_…`, `DEEPGRAM_…` with a key or an address) or
 * forbids the search (`LOCAL_SPEECH=off`). No key is sent.
 */
export async function findLocalSpeechServer(
  env: Record<string, string | undefined>,
  urls = standardUrls,
  limits = defaultLimits,
): Promise<LocalSpeechServer | null> {
  const isSet = (name: SettingName) => Boolean(env[name]);
  const isConfigured = env.SPEECH || env.SPEECH_PROVIDER || hasIntegration("speech", isSet);
  if (env.LOCAL_SPEECH === "off" || isConfigured) return null;
  const model = env.DEEPGRAM_MODEL || "nova-3";
  const found = await Promise.all(urls.map((url) => checkServer({ url, model }, limits)));
  return found.find((server) => server !== null) ?? null;
}

/** The settings of the worker with which it uses `server`. A number of streams in `env` goes first. */
export const toSpeechSettings = (
  { url, hasFinalize }: LocalSpeechServer,
  env: Record<string, string | undefined> = {},
) => ({
  SPEECH_PROVIDER: "deepgram",
  DEEPGRAM_URL: url,
  // Two recordings at once would both be late: the second one is told to wait.
  DEEPGRAM_STREAMS: env.DEEPGRAM_STREAMS || "1",
  ...(hasFinalize ? {} : { DEEPGRAM_FINALIZE: "false" }),
});

async function checkServer(
  server: { url: string; model: string },
  limits: Limits,
): Promise<LocalSpeechServer | null> {
  const check = (codec: "opus" | "pcm_s16le", controls: readonly string[]) => {
    const about = { languages: ["en"] as const, context: "", terms: [] };
    const start = { codec, sampleRate, diarization: true, ...about };
    const messages = controls.map((type) => JSON.stringify({ type }));
    const frames = [...(codec === "opus" ? silentOpus : silentPcm), ...messages];
    return checkStream(toDeepgramUrl(server, start), frames, limits);
  };
  const [opus, pcm, hasFinalize] = await Promise.all([
    check("opus", ["CloseStream"]),
    check("pcm_s16le", ["CloseStream"]),
    check("pcm_s16le", ["Finalize", "CloseStream"]),
  ]);
  return opus && pcm ? { url: server.url, hasFinalize } : null;
}

const sampleRate = 16_000;
const silentChunks = [0, 1, 2, 3];
const silenceSeconds = (silentChunks.length * opusChunkMs) / 1_000;
const silentOpus = silentChunks.map((index) =>
  writeOggChunk({
    serial: 1,
    index,
    leadIn: [],
    packets: Array.from({ length: opusPacketsPerChunk }, () => Uint8Array.from(silentOpusPacket)),
  }),
);
const silentPcm = silentChunks.map(() => new Uint8Array((sampleRate * opusChunkMs * 2) / 1_000));

/** The end of a stream that has counted the silence, without what a decoder drops at its beginning or adds at its end. */
const streamEnd = z.object({
  type: z.literal("Metadata"),
  request_id: z.string().min(1),
  duration: z
    .number()
    .min(silenceSeconds * 0.8)
    .max(silenceSeconds * 1.2),
});

const messageMaxBytes = 64 * 1024;
/** A stream of silence has a few. */
const messagesMax = 100;

/** Whether a stream with `frames` ends as the protocol says, in time. */
function checkStream(
  address: string,
  frames: readonly (Uint8Array | string)[],
  { upgradeMs, streamMs }: Limits,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address, {
      handshakeTimeout: upgradeMs,
      perMessageDeflate: false,
      maxPayload: messageMaxBytes,
    });
    const finish = (isEnd: boolean) => {
      clearTimeout(timer);
      resolve(isEnd);
      socket.terminate();
    };
    const timer = setTimeout(() => finish(false), streamMs);
    let messages = 0;
    socket.on("open", () => {
      for (const frame of frames) socket.send(frame);
    });
    socket.on("message", (data, isBinary) => {
      messages += 1;
      if (!isBinary && streamEnd.safeParse(parseJson(String(data))).success) finish(true);
      else if (messages === messagesMax) finish(false);
    });
    socket.on("error", () => finish(false));
    socket.on("close", () => finish(false));
  });
}
