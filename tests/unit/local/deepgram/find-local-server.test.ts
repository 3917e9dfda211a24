import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { findLocalSpeechServer, toSpeechSettings } from "#local/deepgram/find-local-server.ts";
import type { SessionReport } from "#local/deepgram/session.ts";
import { createDeepgramStandIn } from "#local/deepgram/stand-in.ts";
import type { SpeechReport } from "#local/soniox/speech-stand-in.ts";
import { selectSettings } from "#local/stack.ts";
import { control, serve } from "#tests/unit/local/serve.ts";

/** More than a busy machine needs. */
const patient = { upgradeMs: 30_000, streamMs: 30_000 };
/** For servers that do not answer. */
const hasty = { upgradeMs: 100, streamMs: 200 };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/listen`;
}

/** A server of one's own with Deepgram's protocol. */
async function serveSpeech(failures: object = {}) {
  const service = await serve(createDeepgramStandIn({ needsKey: false }));
  closers.push(service.close);
  const change = (more: object) =>
    control(service.url, "/deepgram/", more) as Promise<SpeechReport<SessionReport>>;
  await change(failures);
  return { url: `${service.url.replace("http", "ws")}/deepgram/v1/listen`, control: change };
}

/** A server that accepts every WebSocket. */
async function serveSockets(onOpen: (socket: WebSocket) => void): Promise<string> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  sockets.on("connection", onOpen);
  closers.push(() => {
    for (const client of sockets.clients) client.terminate();
  });
  return listen(http);
}

const find = (url: string, env = {}, limits = patient) => findLocalSpeechServer(env, [url], limits);

describe("findLocalSpeechServer", () => {
  it("finds a server with Deepgram's protocol, and asks it for what a recording asks", async () => {
    const server = await serveSpeech();
    expect(await find(server.url, { DEEPGRAM_MODEL: "small" })).toEqual({
      url: server.url,
      hasFinalize: true,
    });
    const { sessions } = await server.control({});
    const parameters = sessions.map((session) => session.parameters);
    expect(parameters).toHaveLength(3);
    expect(parameters).toContainEqual(
      expect.objectContaining({ model: "small", encoding: "linear16", sample_rate: 16_000 }),
    );
    expect(parameters.filter((one) => !("encoding" in one))).toHaveLength(1);
  });

  it("finds WhisperLiveKit, which has no `Finalize`", async () => {
    const { url } = await serveSpeech({ whisperLiveKit: true });
    expect(await find(url)).toEqual({ url, hasFinalize: false });
  });

  it("takes the first of several, in the order of the addresses", async () => {
    const [first, second] = [await serveSpeech(), await serveSpeech({ whisperLiveKit: true })];
    const urls = ["ws://127.0.0.1:9/v1/listen", second.url, first.url];
    expect(await findLocalSpeechServer({}, urls, patient)).toMatchObject({ url: second.url });
  });

  it("sends no key", async () => {
    const headers: object[] = [];
    const http = createServer();
    const sockets = new WebSocketServer({ server: http });
    sockets.on("connection", (socket, request) => {
      headers.push(request.headers);
      socket.close();
    });
    const env = { LLM_API_KEY: "secret-key", RESEND_API_KEY: "secret-key" };
    await find(await listen(http), env);
    expect(headers.length).toBeGreaterThan(0);
    expect(JSON.stringify(headers)).not.toMatch(/authorization|secret-key/i);
  });

  it.each([
    { LOCAL_SPEECH: "off" },
    { SPEECH: "demo" },
    { SPEECH_PROVIDER: "deepgram" },
    { SONIOX_API_KEY: "key" },
    { DEEPGRAM_API_KEY: "key" },
    { DEEPGRAM_URL: "ws://127.0.0.1:1/v1/listen" },
  ])("does not search with %o", async (env) => {
    const server = await serveSpeech();
    expect(await find(server.url, env)).toBeNull();
    expect((await server.control({})).openedCount).toBe(0);
  });

  it.each([
    ["refuses the stream", { refuseWith: 400 }],
    ["wants a key", { refuseWith: 401 }],
  ])("does not take a server that %s", async (_, failures) => {
    const { url } = await serveSpeech(failures);
    expect(await find(url)).toBeNull();
  });

  it("does not take a web server, or a port that is closed", async () => {
    const page = await listen(createServer((_, response) => response.end("<h1>Hello</h1>")));
    expect(await find(page)).toBeNull();
    expect(await find("ws://127.0.0.1:9/v1/listen")).toBeNull();
  });

  const metadata = { type: "Metadata", request_id: "r", duration: 0, channels: 1 };
  const answer = (socket: WebSocket, data: unknown) =>
    socket.on("message", () => socket.send(typeof data === "string" ? data : JSON.stringify(data)));
  it.each<[string, (socket: WebSocket) => void]>([
    ["echoes", (socket) => socket.on("message", (data, binary) => socket.send(data, { binary }))],
    ["answers no JSON", (socket) => answer(socket, "hello")],
    ["answers another protocol", (socket) => answer(socket, { type: "ready_to_stop" })],
    ["counts no sound", (socket) => answer(socket, metadata)],
    ["counts other sound", (socket) => answer(socket, { ...metadata, duration: 60 })],
    ["names no request", (socket) => answer(socket, { type: "Metadata", duration: 1.04 })],
    ["answers an error", (socket) => answer(socket, { type: "Error", description: "no model" })],
    ["says too much", (socket) => answer(socket, "x".repeat(70_000))],
  ])("does not take a server that accepts every WebSocket and %s", async (_, onOpen) => {
    const url = await serveSockets((socket) => {
      socket.on("error", () => {});
      onOpen(socket);
      socket.on("message", (data) => {
        if (String(data).includes("CloseStream")) socket.close(1000);
      });
    });
    expect(await find(url)).toBeNull();
  });

  it("does not take a server that sends without end", async () => {
    const url = await serveSockets((socket) => {
      socket.on("error", () => {});
      const send = () => {
        if (socket.readyState !== socket.OPEN) return;
        socket.send("{}");
        setImmediate(send);
      };
      send();
    });
    expect(await find(url)).toBeNull();
  });

  it("does not take a server that counts PCM only", async () => {
    const url = await serveSockets((socket) => {
      let bytes = 0;
      socket.on("message", (data: Buffer, isBinary) => {
        if (isBinary) bytes += data.length;
        else if (String(data).includes("CloseStream")) {
          socket.send(JSON.stringify({ ...metadata, duration: bytes / 32_000 }));
          socket.close(1000);
        }
      });
    });
    expect(await find(url)).toBeNull();
  });

  it.each<[string, () => Promise<string>]>([
    [
      "the upgrade",
      () => listen(createSocketServer((socket) => closers.push(() => socket.destroy()))),
    ],
    ["the stream", () => serveSockets(() => {})],
    ["the end of the stream", async () => (await serveSpeech({ silent: true })).url],
  ])("does not wait for a server that never answers %s", async (_, start) => {
    expect(await find(await start(), {}, hasty)).toBeNull();
  });
});

describe("toSpeechSettings", () => {
  it("are settings that the worker reads", () => {
    const url = "ws://127.0.0.1:8000/v1/listen";
    // A small server is shared by nobody: the second recording is told to wait.
    const chosen = { SPEECH_PROVIDER: "deepgram", DEEPGRAM_URL: url, DEEPGRAM_STREAMS: "1" };
    const settings = toSpeechSettings({ url, hasFinalize: true });
    expect(selectSettings(settings)).toEqual(chosen);
    const without = toSpeechSettings({ url, hasFinalize: false });
    expect(selectSettings(without)).toEqual({ ...chosen, DEEPGRAM_FINALIZE: "false" });
    const own = toSpeechSettings({ url, hasFinalize: true }, { DEEPGRAM_STREAMS: "3" });
    expect(selectSettings(own)).toEqual({ ...chosen, DEEPGRAM_STREAMS: "3" });
  });
});
