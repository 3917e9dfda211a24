import "fake-indexeddb/auto";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fetchModel } from "#build/fetch-model.ts";
import { downloadModel } from "#client/models/download-model.ts";
import type { DeviceModel } from "#client/models/model-source.ts";
import { parseModelUrl } from "#client/models/model-source.ts";
import { ModelStore } from "#client/models/model-store.ts";
import { createBytes, type ModelServer, startModelServer } from "#tests/fixtures/model-server.ts";

const files = { "config.json": createBytes(700, 1), "onnx/a.onnx": createBytes(5_500_000, 2) };
const model = {
  id: "test-model",
  purpose: "speech",
  name: "Test",
  languages: ["en"],
  bytes: 5_500_700,
  licence: "MIT",
  repository: "tests/model",
  revision: "b".repeat(40),
  files: Object.keys(files),
} satisfies DeviceModel;
const hash = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

let server: ModelServer;
let folder: string;
beforeEach(async () => {
  server = await startModelServer({ ...model, files });
  folder = await mkdtemp(join(tmpdir(), "dualect-models-"));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const pieceBytes = 2_000_000;
async function fetchIntoFolder(): Promise<string[]> {
  const lines: string[] = [];
  const source = parseModelUrl(server.url);
  await fetchModel(model, { source, folder, pieceBytes, print: (line) => lines.push(line) });
  return lines;
}
const list = async () =>
  (await readdir(join(folder, model.id), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();

it("writes files, cut into pieces, and a manifest that a page can download from", async () => {
  const lines = await fetchIntoFolder();
  expect(lines.at(-1)).toBe("  complete, lengths and hashes are right");
  const names = ["a.onnx.0", "a.onnx.1", "a.onnx.2", "config.json", "manifest.json"];
  expect(await list()).toEqual(names);
  const requests: string[] = [];
  const site = createServer((request, response) => {
    requests.push(request.url ?? "");
    readFile(join(folder, (request.url ?? "").replace("/models", ""))).then(
      (data) => response.end(data),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  const store = new ModelStore();
  await downloadModel(model, store.openTarget(model.id), {
    source: parseModelUrl(`http://127.0.0.1:${port}/models`),
    agreedBytes: model.bytes,
    fetch,
    signal: new AbortController().signal,
    getFreeBytes: async () => null,
    onProgress() {},
  });
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
  expect(requests.toSorted()).toEqual(
    ["manifest.json", "config.json", "onnx/a.onnx.0", "onnx/a.onnx.1", "onnx/a.onnx.2"]
      .map((name) => `/models/test-model/${name}`)
      .toSorted(),
  );
  const stored = [...((await store.readFiles(model.id)) ?? [])];
  expect(
    await Promise.all(stored.map(async ([path, blob]) => [path, hash(await blob.bytes())])),
  ).toEqual(Object.entries(files).map(([path, data]) => [path, hash(data)]));
});

it("continues after a broken connection, and has no manifest before it is whole", async () => {
  server.faults.set("onnx/a.onnx", { cutAfter: 4_500_000 });
  await expect(fetchIntoFolder()).rejects.toMatchObject({ reason: "cut" });
  expect(await list()).toEqual(["a.onnx.partial", "config.json"]);
  const { size } = await stat(join(folder, "test-model/onnx/a.onnx.partial"));
  expect(size).toBeGreaterThan(4_000_000);
  server.faults.clear();
  server.requests.length = 0;
  await fetchIntoFolder();
  expect(server.requests).toEqual(["list", `onnx/a.onnx from ${size}`]);
  expect(await list()).toContain("manifest.json");
});

it("fetches nothing again that is there and right, and again what is not", async () => {
  await fetchIntoFolder();
  server.requests.length = 0;
  await fetchIntoFolder();
  expect(server.requests).toEqual(["list"]);
  const piece = join(folder, "test-model/onnx/a.onnx.1");
  await writeFile(piece, createBytes(pieceBytes, 7));
  await expect(fetchIntoFolder()).rejects.toMatchObject({ reason: "wrong" });
  expect(await list()).toEqual(["config.json"]);
  await fetchIntoFolder();
  expect(hash(await readFile(piece))).toBe(
    hash(files["onnx/a.onnx"].subarray(pieceBytes, 2 * pieceBytes)),
  );
});

it("says that the hub cannot be reached", async () => {
  await server.close();
  await expect(fetchIntoFolder()).rejects.toMatchObject({
    reason: "unreachable",
    message: expect.stringContaining(`no answer from ${server.url}/api/models/tests/model`),
  });
});
