import { once } from "node:events";
import { DeepgramClient } from "@deepgram/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { SessionReport } from "#local/deepgram/session.ts";
import { createDeepgramStandIn } from "#local/deepgram/stand-in.ts";
import type { SpeechReport } from "#local/soniox/speech-stand-in.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodeOpusChunks, toOggStream } from "#tests/fixtures/opus.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { control, serve } from "#tests/unit/local/serve.ts";

/** The official client, unmodified, against the stand-in. */
const rate = 16_000;
let service: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  service = await serve(createDeepgramStandIn());
});
afterAll(() => service.close());

const raw = { encoding: "linear16", sample_rate: rate, channels: 1 } as const;
const slicePcm = (samples: Float32Array) =>
  Array.from({ length: Math.ceil(samples.length / 4096) }, (_, index) =>
    encodePcm16(samples.subarray(index * 4096, (index + 1) * 4096)),
  );
const sliceOgg = (samples: Float32Array) => toOggStream(encodeOpusChunks(samples));

async function connect(apiKey = "test-key", format: typeof raw | Record<string, never> = raw) {
  const websocket = `${service.url.replace(/^http/, "ws")}/deepgram`;
  const client = new DeepgramClient({
    apiKey,
    environment: {
      base: service.url,
      production: websocket,
      agent: websocket,
      agentRest: service.url,
    },
  });
  const connection = await client.listen.v1.connect({
    model: "nova-3",
    language: "en",
    ...format,
    interim_results: "true",
    punctuate: "true",
    diarize: "true",
    endpointing: 500,
    reconnectAttempts: 0,
  });
  connection.connect();
  await connection.waitForOpen();
  return connection;
}

describe("the official client", () => {
  it.each([
    ["PCM", slicePcm, raw],
    ["Ogg Opus", sliceOgg, {}],
  ])(
    "transcribes the fixture in %s: every word once, in order, with times and speakers",
    async (...[, slice, format]) => {
      const fixture = createLectureFixture({
        to: 24,
        sampleRate: rate,
        wordsPerSentence: 3,
      });
      // The service waits for no audio that is still being encoded.
      const slices = slice(fixture.samples);
      const connection = await connect("test-key", format);
      const finals: { text: string; start: number; end: number; speaker: number | undefined }[] =
        [];
      let interim = 0;
      let endpoints = 0;
      const ended = new Promise<void>((resolve) => {
        connection.on("message", (message) => {
          if (message.type === "Metadata") resolve();
          if (message.type !== "Results") return;
          const words = message.channel.alternatives[0]?.words ?? [];
          if (message.speech_final) endpoints += 1;
          if (!message.is_final) interim += 1;
          else
            finals.push(
              ...words.map((word) => ({
                text: word.punctuated_word ?? word.word,
                start: word.start,
                end: word.end,
                speaker: word.speaker,
              })),
            );
        });
      });
      for (const bytes of slices) connection.sendMedia(bytes);
      connection.sendCloseStream({ type: "CloseStream" });
      await ended;
      expect(finals.map(({ text }) => text)).toEqual(fixture.words.map(({ text }) => text));
      expect(new Set(finals.map(({ speaker }) => speaker)).size).toBeGreaterThan(1);
      const times = finals.flatMap(({ start, end }) => [start, end]);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(interim).toBeGreaterThan(10);
      expect(endpoints).toBeGreaterThan(0);
      connection.close();
    },
  );

  it("is told of a wrong key", async () => {
    await expect(connect("bad-key")).rejects.toThrow();
  });
});

describe("the stand-in", () => {
  const path = "/deepgram/v1/listen";
  const parameters = `model=nova-3&language=en&encoding=linear16&sample_rate=${rate}&channels=1&interim_results=true`;
  const open = (query = parameters, authorization = "Token test-key", url = service.url) =>
    new WebSocket(`${url.replace(/^http/, "ws")}${path}?${query}`, {
      headers: { authorization },
    });

  it("closes a stream without audio or text", async () => {
    const hasty = await serve(createDeepgramStandIn({ idleMs: 300 }));
    const socket = open(parameters, "Token test-key", hasty.url);
    const [code, reason] = await once(socket, "close");
    expect([code, String(reason)]).toEqual([1011, "NET-0001"]);
    await hasty.close();
  });

  it.each([
    ["an unknown parameter", `${parameters}&colour=red`, "Token test-key", 400],
    ["another encoding", parameters.replace("linear16", "opus"), "Token test-key", 400],
    ["no key", parameters, "", 401],
  ])("refuses %s", async (_, query, authorization, status) => {
    const socket = open(query, authorization);
    socket.on("error", () => {});
    const [, response] = await once(socket, "unexpected-response");
    expect(response.statusCode).toBe(status);
  });

  it("refuses text that is no control message", async () => {
    const socket = open();
    await once(socket, "open");
    socket.send('{"type":"Shout"}');
    const [code] = await once(socket, "close");
    expect(code).toBe(1008);
  });

  it.each([
    ["no container", Buffer.from("neither Ogg nor anything else")],
    [
      "a damaged page",
      Buffer.from(toOggStream(encodeOpusChunks(new Float32Array(8_000)))[0] ?? []).fill(1, 90, 92),
    ],
  ])("refuses %s where it expects one", async (_, bytes) => {
    const socket = open("model=nova-3&language=en&interim_results=true");
    await once(socket, "open");
    socket.send(bytes);
    const [code, reason] = await once(socket, "close");
    expect([code, String(reason)]).toEqual([1008, "DATA-0000"]);
  });

  it("fails as it is told to and lists its sessions", async () => {
    const socket = open();
    await once(socket, "open");
    const closed = once(socket, "close");
    const report = (await control(service.url, "/deepgram/", {
      closeNow: 1011,
    })) as SpeechReport<SessionReport>;
    expect((await closed)[0]).toBe(1011);
    expect(report.sessions.at(-1)?.parameters).toMatchObject({ model: "nova-3" });
    await control(service.url, "/deepgram/", { refuseWith: 429 });
    const refused = open();
    refused.on("error", () => {});
    const [, response] = await once(refused, "unexpected-response");
    expect(response.statusCode).toBe(429);
    await control(service.url, "/deepgram/", { reset: true });
  });
});
