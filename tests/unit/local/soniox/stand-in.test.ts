import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodeOpusChunks, toOggStream } from "#tests/fixtures/opus.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { StreamClient, serve, startRequest } from "./serve.ts";

const rate = 16_000;
const lines: StreamClient[] = [];
let soniox: Awaited<ReturnType<typeof serve>>;

beforeEach(async () => {
  soniox = await serve();
});
afterEach(async () => {
  for (const client of lines.splice(0)) client.end();
  await soniox.close();
});

async function connect(key?: string, url = soniox.url): Promise<StreamClient> {
  const client = new StreamClient(url, key);
  lines.push(client);
  return client.open();
}
const frames = (samples: Float32Array, length = 4096) =>
  Array.from({ length: Math.ceil(samples.length / length) }, (_, index) =>
    encodePcm16(samples.subarray(index * length, (index + 1) * length)),
  );
const silence = new Float32Array(4096);
const short = createLectureFixture({ to: 5, sampleRate: rate, leadInMs: 200, tailMs: 200 });
const shortText = short.words.map(({ text }) => text).join(" ");

describe("a stream", () => {
  it("sends its finals and `finished` and closes after the empty text frame", async () => {
    const client = (await connect("key")).send(startRequest);
    for (const frame of frames(short.samples)) client.send(frame);
    await client.send("").closed();
    expect(client.text).toBe(shortText);
    expect(client.last).toMatchObject({ tokens: [], finished: true });
    expect(client.last?.final_audio_proc_ms).toBe(client.last?.total_audio_proc_ms);
    expect(client.closeCode).toBe(1000);
  });

  it("accepts frames of any length, also with half a sample", async () => {
    const client = (await connect("key")).send(startRequest);
    const bytes = encodePcm16(short.samples);
    for (let at = 0; at < bytes.length; at += 1_001) client.send(bytes.subarray(at, at + 1_001));
    await client.send("").closed();
    expect(client.text).toBe(shortText);
  });

  it("reports progress in silence", async () => {
    const client = (await connect("key")).send(startRequest);
    for (let i = 0; i < 40; i++) client.send(encodePcm16(silence));
    await client.until(({ last }) => (last?.total_audio_proc_ms ?? 0) >= 10_000);
    expect(client.last?.final_audio_proc_ms).toBeGreaterThan(8_000);
    expect(client.text).toBe("");
  });
});

describe("a stream of Ogg Opus", () => {
  const start = { model: "stt-rt-v5", audio_format: "auto" };
  const fixture = createLectureFixture({ to: 20, sampleRate: rate });
  const chunks = encodeOpusChunks(fixture.samples);

  it.each([0, 12])("may begin at chunk %i: its clock begins there", async (from) => {
    const client = (await connect("key")).send(start);
    for (const data of toOggStream(chunks.slice(from))) client.send(data);
    await client.send("").closed();
    const heard = client.answers
      .flatMap(({ tokens }) => tokens)
      .filter(({ is_final, text }) => is_final && text.startsWith(" "));
    const whole = fixture.words.filter(({ startMs }) => startMs >= from * 260);
    expect(client.text.endsWith(whole.map(({ text }) => text).join(" "))).toBe(true);
    for (const [index, word] of whole.entries()) {
      const token = heard[heard.length - whole.length + index];
      expect(Math.abs((token?.start_ms ?? 0) + from * 260 - word.startMs)).toBeLessThan(5);
    }
  });

  it("may be cut into slices of any length", async () => {
    const client = (await connect("key")).send(start);
    const bytes = Buffer.concat(toOggStream(chunks));
    for (let at = 0; at < bytes.length; at += 101) client.send(bytes.subarray(at, at + 101));
    await client.send("").closed();
    expect(client.text).toBe(fixture.words.map(({ text }) => text).join(" "));
  });

  const [first, second, third] = toOggStream(chunks).map((data) => Buffer.from(data));
  it.each([
    ["no container", [Buffer.from("RIFF or something else")]],
    ["no headers", [second]],
    ["a damaged page", [Buffer.from(first ?? []).fill(1, 100, 102)]],
    ["a missing page", [first, third]],
  ])("is refused with %s", async (_, frames) => {
    const client = (await connect("key")).send(start);
    for (const frame of frames) client.send(frame ?? "");
    await client.closed();
    expect(client.last).toMatchObject({ error_code: 400, error_type: "invalid_request" });
    expect(client.last?.error_message).toMatch(/^Audio data decode error/);
  });
});

describe("rejected sessions", () => {
  const refused = async (client: StreamClient, status: number) => {
    await client.closed();
    expect(client.last).toMatchObject({ tokens: [], error_code: status });
    expect(client.last?.error_type).toEqual(expect.any(String));
    expect(client.last?.error_message).toEqual(expect.any(String));
    expect(client.last?.request_id).toEqual(expect.any(String));
    return client;
  };

  it("accepts a valid key in the header alone, as the service does from 15 January 2027 on", async () => {
    await refused(await connect("bad-key"), 401);
    await refused((await connect()).send(startRequest), 401);
    await refused((await connect()).send({ ...startRequest, api_key: "key" }), 401);
    await refused((await connect("key")).send({ ...startRequest, api_key: "key" }), 400);
    const good = (await connect("key")).send(startRequest);
    await good.send("").closed();
    expect(good.last?.finished).toBe(true);
  });

  it("accepts a valid key in the start message where the service of today is needed", async () => {
    const today = await serve({ acceptsKeyInStart: true });
    const start = async (change: object) =>
      (await connect(undefined, today.url)).send({ ...startRequest, ...change });
    await refused(await start({ api_key: "bad" }), 401);
    await refused(await start({ api_key: "" }), 401);
    const good = await start({ api_key: "key" });
    await good.send("").closed();
    expect(good.last?.finished).toBe(true);
    await today.close();
  });

  it("names the kind of a refusal, and where it is explained", async () => {
    const wrong = await refused(
      (await connect("key")).send({ ...startRequest, model: "stt" }),
      400,
    );
    expect(wrong.last).toMatchObject({
      error_type: "model_not_available",
      more_info: "https://soniox.com/docs/api-reference/errors#model-not-available",
    });
  });

  it("rejects start messages that the service would reject", async () => {
    const { audio_format: _, ...withoutFormat } = startRequest;
    for (const start of [
      withoutFormat,
      { ...startRequest, model: "stt-rt-v1" },
      { ...startRequest, sample_rate: undefined },
      { ...startRequest, max_endpoint_delay_ms: 400 },
      { ...startRequest, max_endpoint_delay_ms: 3_001 },
      { ...startRequest, endpoint_sensitivity: 1.1 },
      { ...startRequest, client_reference_id: "x".repeat(257) },
      { ...startRequest, context: { text: "x".repeat(10_001) } },
      { ...startRequest, translation: { type: "one_way", target_language: "xx" } },
      { ...startRequest, translation: { type: "two_way", language_a: "es" } },
      "not json",
      [],
    ])
      await refused((await connect("key")).send(start), 400);
    await refused((await connect("key")).send(new Uint8Array(8)), 400);
    await refused((await connect("key")).send(startRequest).send({ type: "dance" }), 400);
  });

  it("answers 408 without input, and not after a keepalive", async () => {
    const hasty = await serve({ idleMs: 600 });
    const idle = (await connect("key", hasty.url)).send(startRequest);
    const started = performance.now();
    await refused(idle, 408);
    expect(idle.last?.error_message).toBe("Input too slow");
    expect(performance.now() - started).toBeGreaterThan(590);
    await refused(await connect("key", hasty.url), 408);

    const kept = (await connect("key", hasty.url)).send(startRequest);
    const beat = setInterval(() => kept.send({ type: "keepalive" }), 30);
    await (await connect("key", hasty.url)).send(startRequest).closed();
    clearInterval(beat);
    expect(kept.closeCode).toBeNull();
    await hasty.close();
  });

  it("answers 404 on other paths", async () => {
    const socket = new WebSocket(`ws://${soniox.host}/soniox/other`);
    const status = await new Promise((resolve) => {
      socket.on("unexpected-response", (_, response) => resolve(response.statusCode));
      socket.on("error", () => {});
    });
    expect(status).toBe(404);
    expect((await fetch(`http://${soniox.host}/soniox/other`)).status).toBe(404);
  });
});

describe("failure injection", () => {
  it("ends open sessions with any error or close code", async () => {
    for (const status of [401, 402, 408, 429, 500, 503]) {
      const client = (await connect("key")).send(startRequest).send(encodePcm16(silence));
      await client.until(({ answers }) => answers.length > 0);
      await soniox.control({ errorNow: status });
      await client.closed();
      expect(client.last?.error_code).toBe(status);
    }
    for (const code of [1001, 1006, 1011, 1012]) {
      const client = (await connect("key")).send(startRequest).send(encodePcm16(silence));
      await client.until(({ answers }) => answers.length > 0);
      await soniox.control({ closeNow: code });
      await client.closed();
      expect(client.closeCode).toBe(code);
    }
  });

  it("rejects `errorTimes` new sessions", async () => {
    await soniox.control({ errorOnStart: 503, errorTimes: 2 });
    for (const expected of [503, 503, undefined]) {
      const client = (await connect("key")).send(startRequest).send("");
      await client.closed();
      expect(client.last?.error_code).toBe(expected);
    }
  });

  it("ends a session after `maxSessionMs` with 413", async () => {
    await soniox.control({ maxSessionMs: 1_000 });
    const client = (await connect("key")).send(startRequest);
    for (let i = 0; i < 5; i++) client.send(encodePcm16(silence));
    await client.closed();
    expect(client.last?.error_code).toBe(413);
  });

  it("lists sessions without their keys, and resets", async () => {
    const client = (await connect("secret")).send({
      ...startRequest,
      client_reference_id: "r",
      endpoint_sensitivity: -0.5,
    });
    client.send(encodePcm16(silence)).send({ type: "keepalive" }).send({ type: "finalize" });
    await client.until(({ last }) => last?.tokens.some(({ text }) => text === "<fin>") ?? false);
    const report = await soniox.report();
    expect(report).toMatchObject({ openedCount: 1, open: 1 });
    expect(report.sessions[0]).toMatchObject({
      open: true,
      bytesReceived: 8192,
      audioFrames: 1,
      keepalives: 1,
      finalizes: 1,
      start: { client_reference_id: "r", endpoint_sensitivity: -0.5 },
    });
    expect(JSON.stringify(report)).not.toContain("secret");
    await client.send("").closed();
    await soniox.control({ reset: true });
    expect(await soniox.report()).toEqual({ openedCount: 0, open: 0, sessions: [] });
  });

  it("echoes frame numbers for benchmarks", async () => {
    await soniox.control({ echo: true });
    const client = (await connect("key")).send(startRequest);
    for (let i = 0; i < 3; i++) client.send(encodePcm16(silence));
    await client.until(({ answers }) => answers.length === 3);
    expect(client.text).toBe("0 1 2");
    expect(client.last).toMatchObject({ final_audio_proc_ms: 768, total_audio_proc_ms: 768 });
  });

  it("echoes with translations, each word's once", async () => {
    await soniox.control({ echo: true });
    const translation = { type: "one_way", target_language: "fr" };
    const client = (await connect("key")).send({ ...startRequest, translation });
    for (let i = 0; i < 15; i++) client.send(encodePcm16(silence));
    client.send({ type: "finalize" });
    await client.until(({ last }) => last?.tokens.some(({ text }) => text === "<fin>") ?? false);
    const finals = client.answers.flatMap(({ tokens }) => tokens.filter((one) => one.is_final));
    const read = (status: string) =>
      finals
        .filter(({ translation_status }) => translation_status === status)
        .map(({ text }) => text)
        .join("");
    expect(read("original")).toBe(
      " Word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11. Word12 word13 word14",
    );
    expect(read("translation")).toBe(
      " Fr:Word0 fr:word1 fr:word2 fr:word3 fr:word4 fr:word5 fr:word6 fr:word7 fr:word8 fr:word9 fr:word10 fr:word11. Fr:Word12 fr:word13 fr:word14",
    );
    expect(client.last?.total_audio_proc_ms).toBe(15 * 256);
  });

  it("rejects unknown settings", async () => {
    expect((await soniox.control({ explode: true })).status).toBe(400);
    expect((await soniox.control("nonsense")).status).toBe(400);
    const put = await fetch(`http://${soniox.host}/soniox/control`, { method: "PUT" });
    expect(put.status).toBe(405);
  });
});
