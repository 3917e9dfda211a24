import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  download,
  fetchByServer,
  fetchDirectly,
  type Way,
} from "#client/features/import/remote/download.ts";
import { RemoteFileError, remoteFileHeader, remoteFilePath } from "#shared/remote-file.ts";

/** This file's own server is the other site. */
let server: Server | null = null;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  server = null;
  vi.unstubAllGlobals();
});

async function startSite(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/talk.wav`;
}

/** Pauses take no time. */
const clock = {
  now: Date.now,
  after(_: number, run: () => void) {
    const timer = setImmediate(run);
    return () => clearImmediate(timer);
  },
};
const onProgress = vi.fn();
const get = (address: string, ways: Way[] = [fetchDirectly]) =>
  download(address, { ways, onProgress, clock });

const sound = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 251));
sound.write("RIFF----WAVE", 0, "latin1");

/** Sends `count` bytes of the file at most, and ends the connection then. */
const cutAfter =
  (count: number, { gives = true, tag = '"1"' } = {}): RequestListener =>
  ({ headers }, response) => {
    const from = gives ? Number(/\d+/.exec(headers.range ?? "")?.[0] ?? 0) : 0;
    const rest = sound.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      "content-type": "audio/wav",
      "content-length": rest.length,
      etag: tag,
      ...(from > 0 && { "content-range": `bytes ${from}-${sound.length - 1}/${sound.length}` }),
    });
    if (rest.length <= count) response.end(rest);
    else response.write(rest.subarray(0, count), () => response.destroy());
  };

const read = async (content: Blob) => Buffer.from(await content.arrayBuffer());

describe("a download", () => {
  it("goes on after each lost connection where it stopped", async () => {
    const ranges: unknown[] = [];
    const address = await startSite((request, response) => {
      ranges.push(request.headers.range);
      cutAfter(100_000)(request, response);
    });
    const { file, content } = await get(address);
    expect(await read(content)).toEqual(sound);
    expect(file).toMatchObject({ kind: "media", size: sound.length });
    expect(ranges).toEqual([undefined, "bytes=100000-", "bytes=200000-"]);
    expect(onProgress).toHaveBeenLastCalledWith(sound.length, sound.length);
  });

  it("begins again where the site gives no rest", async () => {
    let count = 0;
    const address = await startSite((request, response) => {
      count += 1;
      cutAfter(count === 1 ? 100_000 : sound.length, { gives: false })(request, response);
    });
    expect(await read((await get(address)).content)).toEqual(sound);
    expect(count).toBe(2);
  });

  it("is given up when it never gets further, and when the file is gone", async () => {
    let count = 0;
    const address = await startSite((request, response) => {
      count += 1;
      cutAfter(100_000, { gives: false })(request, response);
    });
    await expect(get(address)).rejects.toMatchObject({ problem: "broken" });
    expect(count).toBe(6);
    const gone = await startSite((request, response) => {
      if (request.headers.range) response.writeHead(404).end();
      else cutAfter(100_000)(request, response);
    });
    await expect(get(gone)).rejects.toMatchObject({ problem: "missing" });
  });

  it("takes the next way where the first is closed, and says what the last one has found", async () => {
    const address = await startSite(cutAfter(sound.length));
    const closed: Way = async () => {
      throw new RemoteFileError("notReached");
    };
    expect(await read((await get(address, [closed, fetchDirectly])).content)).toEqual(sound);
    const missing: Way = async () => {
      throw new RemoteFileError("missing");
    };
    await expect(get(address, [closed, missing])).rejects.toMatchObject({ problem: "missing" });
    await expect(get(address, [missing, fetchDirectly])).rejects.toMatchObject({
      problem: "missing",
    });
  });

  it("refuses a file that is too large before it comes, and one of another type", async () => {
    const large = await startSite((_, response) => {
      response.writeHead(200, { "content-type": "audio/wav", "content-length": 5 * 1024 ** 3 });
      response.write(sound);
    });
    await expect(get(large)).rejects.toMatchObject({ problem: "tooLarge" });
    server?.closeAllConnections();
    server?.close();
    const other = await startSite((_, response) => {
      response.writeHead(200, { "content-type": "application/pdf" }).end("%PDF");
    });
    await expect(get(other)).rejects.toMatchObject({ problem: "type" });
  });
});

describe("the server's way", () => {
  const address = "https://files.example.org/talk.mp3";

  it("sends the address in the body, and takes facts and bytes", async () => {
    const file = {
      kind: "media",
      type: "audio/mpeg",
      charset: "",
      address,
      name: "",
      size: 3,
      from: 0,
      validator: null,
    };
    const fetch = vi.fn(
      async (_path: string, _init: RequestInit) =>
        new Response("ID3", {
          headers: { [remoteFileHeader]: encodeURIComponent(JSON.stringify(file)) },
        }),
    );
    vi.stubGlobal("fetch", fetch);
    const found = await get(address, [fetchByServer]);
    expect(found.file).toEqual(file);
    expect(await found.content.text()).toBe("ID3");
    const [path, init] = fetch.mock.calls[0] ?? [];
    expect(path).toBe(remoteFilePath);
    expect(JSON.parse(String(init?.body))).toEqual({ address, from: 0, validator: null });
  });

  it.each([
    [422, { problem: "address" }, { problem: "address" }],
    [422, { problem: "new" }, { problem: "refused" }],
    [401, { error: { code: "unauthenticated" } }, { code: "unauthenticated" }],
    [
      429,
      { error: { code: "daily_limit_reached", retryAfterSeconds: 60 } },
      { code: "daily_limit_reached", retryAfterSeconds: 60 },
    ],
    [500, "<html>", { code: "unavailable" }],
    [200, "no header", { code: "unavailable" }],
  ])("says why it refuses: %i %o", async (status, body, failure) => {
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status }));
    await expect(get(address, [fetchByServer])).rejects.toMatchObject(failure);
  });
});
