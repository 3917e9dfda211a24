import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mediaMaxBytes, remoteTextMaxBytes } from "#shared/limits.ts";
import { createRemoteFiles } from "#worker/adapters/remote-files.ts";

/** This file's own server is the other site; its name is resolved to a public address. */
let server: Server | null = null;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  server = null;
  vi.unstubAllGlobals();
});

const pace = { silenceMs: 5_000, windowMs: 5_000, windowBytes: 1, totalMs: 20_000 };
const sound = Buffer.concat([Buffer.from("ID3"), Buffer.alloc(4_000, 7)]);

async function startSite(
  answer: RequestListener,
  options: { headMs?: number; pace?: object } = {},
) {
  const requests: IncomingMessage[] = [];
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const prefix = `http://127.0.0.1:${port}/`;
  const open = createRemoteFiles({
    siteOrigin: "https://dualect.example.com",
    isPublicName: async (host) => !host.startsWith("inside"),
    standInPrefix: prefix,
    headMs: options.headMs ?? 5_000,
    pace: { ...pace, ...options.pace },
  });
  const get = (path: string, over = {}) =>
    open({ address: prefix + path, from: 0, validator: null, ...over });
  return { requests, get, prefix };
}

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

const problem = (name: string) => expect.objectContaining({ problem: name });

describe("a file of another site", () => {
  it("comes with what the site says of it, without cookies, unpacked", async () => {
    const { get, requests } = await startSite((_, response) => {
      response.writeHead(200, {
        "content-type": "Audio/MPEG; x=1",
        "content-length": sound.length,
        "content-disposition": "attachment; filename*=UTF-8''Woche%203.mp3",
        etag: '"v1"',
        "set-cookie": "a=b",
      });
      response.end(sound);
    });
    const { file, pieces } = await get("talk");
    expect(file).toMatchObject({
      kind: "media",
      type: "audio/mpeg",
      size: sound.length,
      from: 0,
      name: "Woche 3.mp3",
      validator: '"v1"',
    });
    expect(await readAll(pieces)).toEqual(sound);
    expect(requests[0]?.headers).toMatchObject({ "accept-encoding": "identity" });
    for (const name of ["cookie", "authorization", "referer", "origin"])
      expect(requests[0]?.headers[name]).toBeUndefined();
  });

  it("comes from a byte on, if it is still the same", async () => {
    const { get, requests } = await startSite(({ headers }, response) => {
      const isSame = headers["if-range"] === '"v1"';
      const range = { "content-range": `bytes 1000-4002/4003`, "content-length": 3_003 };
      response.writeHead(isSame ? 206 : 200, {
        "content-type": "audio/mpeg",
        ...(isSame && range),
      });
      response.end(sound.subarray(isSame ? 1_000 : 0));
    });
    const rest = await get("talk", { from: 1_000, validator: '"v1"' });
    expect(rest.file).toMatchObject({ from: 1_000, size: 4_003 });
    expect(await readAll(rest.pieces)).toEqual(sound.subarray(1_000));
    expect(requests[0]?.headers.range).toBe("bytes=1000-");
    const other = await get("talk", { from: 1_000, validator: '"v0"' });
    expect(other.file).toMatchObject({ from: 0, kind: "media" });
    expect(await readAll(other.pieces)).toEqual(sound);
  });

  it.each<[string, RequestListener, string]>([
    [
      "is another part than asked for",
      (_, r) => r.writeHead(206, { "content-range": "bytes 9-10/11" }).end("ab"),
      "broken",
    ],
    ["is not there", (_, r) => r.writeHead(404).end(), "missing"],
    ["is not given", (_, r) => r.writeHead(403).end(), "refused"],
    ["is a failure", (_, r) => r.writeHead(500).end(), "refused"],
    [
      "is JSON",
      (_, r) => r.writeHead(200, { "content-type": "application/json" }).end("{}"),
      "type",
    ],
    ["is a picture", (_, r) => r.writeHead(200, { "content-type": "image/png" }).end("x"), "type"],
    [
      "is a program",
      (_, r) => r.writeHead(200, { "content-type": "application/octet-stream" }).end("MZ"),
      "type",
    ],
    [
      "is a list of pieces",
      (_, r) =>
        r.writeHead(200, { "content-type": "application/vnd.apple.mpegurl" }).end("#EXTM3U"),
      "stream",
    ],
    ["is empty", (_, r) => r.writeHead(200, { "content-type": "audio/mpeg" }).end(), "empty"],
    [
      "is too large",
      (_, r) =>
        void r
          .writeHead(200, { "content-type": "video/mp4", "content-length": mediaMaxBytes + 1 })
          .write(sound),
      "tooLarge",
    ],
    ["is no HTTP", (_, r) => void r.socket?.end("SSH-2.0-OpenSSH\r\n"), "notReached"],
  ])("is refused if it %s", async (_, answer, name) => {
    const { get } = await startSite(answer);
    await expect(get("x", { from: name === "broken" ? 1_000 : 0 })).rejects.toEqual(problem(name));
  });

  it("is a page or a feed up to 2 MiB, however much it unpacks to", async () => {
    const page = Buffer.concat([Buffer.from("<!doctype html>"), Buffer.alloc(64 * 1024 ** 2, 32)]);
    const bomb = gzipSync(page);
    expect(bomb.length).toBeLessThan(100_000);
    const { get } = await startSite((_, response) => {
      response.writeHead(200, {
        "content-type": "text/html; charset=GBK",
        "content-encoding": "gzip",
      });
      response.end(bomb);
    });
    const { file, pieces } = await get("page");
    expect(file).toMatchObject({ kind: "text", charset: "gbk", size: null });
    expect((await readAll(pieces)).length).toBe(remoteTextMaxBytes);
  });

  it("fails at its end if it was cut", async () => {
    const { get } = await startSite((_, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg", "content-length": sound.length });
      response.write(sound.subarray(0, 2_000), () => response.destroy());
    });
    const { pieces } = await get("talk").catch((failure) => ({ pieces: Promise.reject(failure) }));
    await expect((async () => readAll(await pieces))()).rejects.toThrow();
  });
});

describe("a slow site", () => {
  const type = { "content-type": "audio/mpeg" };
  const drip: RequestListener = (_, response) => {
    response.writeHead(200, type).write(sound.subarray(0, 600));
    const timer = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(timer));
  };

  it.each<[string, RequestListener, object, string]>([
    ["sends no head", () => {}, { headMs: 100 }, "notReached"],
    ["sends one byte after another", drip, { pace: { windowMs: 100, windowBytes: 1_000 } }, "slow"],
    ["never ends", drip, { pace: { totalMs: 200 } }, "slow"],
    [
      "falls silent",
      (_, r) => void r.writeHead(200, type).write(sound),
      { pace: { silenceMs: 100 } },
      "slow",
    ],
  ])("that %s is left", async (_, answer, options, name) => {
    const { get } = await startSite(answer, options);
    const reading = get("x").then(({ pieces }) => readAll(pieces));
    await expect(reading).rejects.toEqual(problem(name));
  });

  it("notices that nobody wants the rest", async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const { get } = await startSite((request, response) => {
      drip(request, response);
      response.on("close", resolve);
    });
    const { close } = await get("x");
    close();
    await left;
  });
});

describe("redirects", () => {
  const send =
    (steps: number): RequestListener =>
    ({ url }, response) => {
      const step = Number(url?.slice(1));
      if (step < steps) response.writeHead(302, { location: `${step + 1}` }).end();
      else response.writeHead(200, { "content-type": "audio/mpeg" }).end(sound);
    };

  it("are followed five times", async () => {
    const { get, prefix } = await startSite(send(5));
    expect((await get("0")).file.address).toBe(`${prefix}5`);
  });

  it("are not followed a sixth time, nor round and round", async () => {
    const { get, requests } = await startSite(send(6));
    await expect(get("0")).rejects.toEqual(problem("redirects"));
    expect(requests).toHaveLength(6);
    const circle = await startSite(
      (_, response) => void response.writeHead(301, { location: "/" }).end(),
    );
    await expect(circle.get("")).rejects.toEqual(problem("redirects"));
  });

  it.each([
    "http://127.0.0.1/",
    "https://inside.example.org/x",
    "https://dualect.example.com/api/health",
    "ftp://files.example.org/x",
    "",
  ])("do not lead to %s", async (location) => {
    const { get, requests } = await startSite((_, response) => {
      response.writeHead(302, location === "" ? {} : { location }).end();
    });
    await expect(get("x")).rejects.toEqual(problem(location === "" ? "redirects" : "address"));
    if (location !== "") expect(requests).toHaveLength(1);
  });
});

describe("an address that is not public", () => {
  const fetched = vi.fn<typeof fetch>();
  const create = (isPublic: boolean | null) =>
    createRemoteFiles({
      siteOrigin: "https://dualect.example.com",
      isPublicName: async () => isPublic,
      standInPrefix: null,
      fetch: fetched,
    });

  it.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://10.0.0.8/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://1.1.1.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://localhost/",
    "http://localhost./",
    "http://a.localhost:8080/",
    "http://metadata.google.internal/",
    "http://router.lan/",
    "http://intranet/",
    "https://user:password@files.example.org/",
    "https://files.example.org:22/",
    "https://dualect.example.com/api/health",
    "file:///etc/passwd",
    "data:audio/wav,x",
    "nothing",
  ])("is never asked: %s", async (address) => {
    const input = { address, from: 0, validator: null };
    await expect(create(true)(input)).rejects.toEqual(problem("address"));
    expect(fetched).not.toHaveBeenCalled();
  });

  it("is one whose name leads inside, or nobody knows where", async () => {
    const input = { address: "https://files.example.org/x.mp3", from: 0, validator: null };
    await expect(create(false)(input)).rejects.toEqual(problem("address"));
    await expect(create(null)(input)).rejects.toEqual(problem("notReached"));
    expect(fetched).not.toHaveBeenCalled();
  });
});
