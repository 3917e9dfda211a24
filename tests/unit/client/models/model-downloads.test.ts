import "fake-indexeddb/auto";
import { createHash } from "node:crypto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFetchWithIdleTimeout } from "#client/lib/fetch.ts";
import {
  type ModelDownloadPorts,
  ModelDownloads,
  type ModelState,
} from "#client/models/model-downloads.ts";
import type { DeviceModel } from "#client/models/model-source.ts";
import { parseModelUrl } from "#client/models/model-source.ts";
import { ModelStore } from "#client/models/model-store.ts";
import { createBytes, type ModelServer, startModelServer } from "#tests/fixtures/model-server.ts";

const files = {
  "config.json": createBytes(700, 1),
  "tokenizer.json": createBytes(90_000, 2),
  "onnx/encoder.onnx": createBytes(9_500_000, 3),
};
const large = "onnx/encoder.onnx";
const totalBytes = 700 + 90_000 + 9_500_000;
const model: DeviceModel = {
  id: "test-model",
  purpose: "speech",
  name: "Test",
  languages: ["en"],
  bytes: totalBytes,
  licence: "MIT",
  repository: "tests/model",
  revision: "a".repeat(40),
  files: Object.keys(files),
} as const;

const hash = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

let server: ModelServer;
const closers: (() => void)[] = [];

beforeEach(async () => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  server = await startModelServer({ ...model, files });
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await server.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A tab of the browser; each has its own store on the same database. */
function openTab(ports: Partial<ModelDownloadPorts> = {}) {
  const channel = new BroadcastChannel("dualect-models-test");
  closers.push(() => channel.close());
  const store = new ModelStore();
  const downloads = new ModelDownloads({
    models: [model],
    store,
    channel,
    source: parseModelUrl(server.url),
    fetch: createFetchWithIdleTimeout(20_000),
    locks: navigator.locks,
    getFreeBytes: async () => null,
    persist: async () => true,
    ...ports,
  });
  return {
    store,
    downloads,
    getState: () => downloads.states.get().get(model.id),
    /** Waits until the model's state fits. */
    waitFor: (fits: (state: ModelState) => boolean) =>
      new Promise<ModelState>((resolve) => {
        const check = () => {
          const state = downloads.states.get().get(model.id);
          if (state && fits(state)) resolve(state);
        };
        const unsubscribe = downloads.states.subscribe(check);
        closers.push(unsubscribe);
        check();
      }),
    /** The SHA-256 of a stored file; null if there is none. */
    hashFile: async (path: string) => {
      const blob = (await store.readFiles(model.id))?.get(path) ?? null;
      return blob && hash(new Uint8Array(await blob.arrayBuffer()));
    },
  };
}

const isStored = ({ status }: ModelState) => status === "stored";

/** Holds the large file after `bytes`; returns what lets it go on. */
function hold(bytes: number): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.faults.set(large, { holdAfter: bytes, until: promise });
  closers.push(resolve);
  return resolve;
}

/** A tab that has cancelled its download after `bytes` of the large file. */
async function cancelAfter(bytes: number) {
  const tab = openTab();
  hold(bytes);
  const download = tab.downloads.download(model);
  await tab.waitFor((state) => state.bytes > 90_700 + bytes * 0.97);
  tab.downloads.cancel(model.id);
  await download;
  server.faults.clear();
  server.requests.length = 0;
  return tab;
}

describe("a download", () => {
  it("stores every file, checked, and reads them without the network", async () => {
    const tab = openTab();
    await tab.downloads.refresh();
    expect(tab.getState()).toEqual({ status: "absent", bytes: 0 });
    expect(server.requests).toEqual([]);
    await tab.downloads.download(model);
    expect(tab.getState()).toEqual({ status: "stored", bytes: totalBytes });
    await server.close();
    for (const [path, data] of Object.entries(files))
      expect(await tab.hashFile(path)).toBe(hash(data));
    expect(await tab.hashFile("other.json")).toBeNull();
    const reloaded = openTab();
    await reloaded.downloads.refresh();
    expect(reloaded.getState()).toEqual({ status: "stored", bytes: totalBytes });
    const stored = await reloaded.store.readFiles(model.id);
    expect([...(stored?.keys() ?? [])]).toEqual(Object.keys(files));
  });

  it("reports bytes of the total, growing, in at most 202 steps", async () => {
    const tab = openTab();
    const seen: number[] = [];
    tab.downloads.states.subscribe(() => {
      const state = tab.getState();
      if (state?.status !== "downloading") return;
      expect(state.totalBytes).toBe(totalBytes);
      seen.push(state.bytes);
    });
    await tab.downloads.download(model);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.length).toBeLessThanOrEqual(202);
    expect(seen.at(-1)).toBe(totalBytes);
  });

  it("asks the browser to keep what is stored, and sends neither cookies nor the page's address", async () => {
    const persist = vi.fn(async () => false);
    const run = vi.fn((url: string, init: RequestInit) => fetch(url, init));
    const tab = openTab({ persist, fetch: run });
    await tab.downloads.download(model);
    expect(persist).toHaveBeenCalledOnce();
    expect(tab.getState()?.status).toBe("stored");
    for (const [, init] of run.mock.calls)
      expect(init).toMatchObject({
        credentials: "omit",
        referrerPolicy: "no-referrer",
        cache: "no-store",
      });
  });

  it("continues after a cancellation with the bytes that are missing", async () => {
    const tab = await cancelAfter(6_000_000);
    const { bytes } = tab.getState() ?? { bytes: 0 };
    expect(tab.getState()?.status).toBe("absent");
    expect(bytes).toBeGreaterThan(90_700 + 5_000_000);
    expect(await tab.hashFile("config.json")).toBeNull();
    await tab.downloads.download(model);
    expect(server.requests).toEqual(["list", `${large} from ${bytes - 90_700}`]);
    expect(await tab.hashFile(large)).toBe(hash(files[large]));
  });

  it("continues after a reload", async () => {
    await cancelAfter(5_000_000);
    const reloaded = openTab();
    await reloaded.downloads.refresh();
    const bytes = reloaded.getState()?.bytes ?? 0;
    expect(bytes).toBeGreaterThan(4_000_000);
    await reloaded.downloads.download(model);
    expect(server.requests).toEqual(["list", `${large} from ${bytes - 90_700}`]);
    expect(await reloaded.hashFile(large)).toBe(hash(files[large]));
  });

  it("continues with a server that sends everything again", async () => {
    const tab = await cancelAfter(6_000_000);
    server.faults.set(large, { hasNoRanges: true });
    await tab.downloads.download(model);
    expect(tab.getState()).toEqual({ status: "stored", bytes: totalBytes });
    expect(await tab.hashFile(large)).toBe(hash(files[large]));
  });

  it("continues where the browser may not request a range", async () => {
    await cancelAfter(6_000_000);
    const tab = openTab({
      fetch: async (url, init) => {
        if (new Headers(init.headers).has("range")) throw new TypeError("preflight refused");
        return fetch(url, init);
      },
    });
    await tab.downloads.download(model);
    expect(await tab.hashFile(large)).toBe(hash(files[large]));
  });

  it("begins a file again that has changed at the source", async () => {
    await cancelAfter(6_000_000);
    await server.close();
    const changed = { ...files, [large]: createBytes(9_400_000, 9) };
    server = await startModelServer({ ...model, files: changed });
    const tab = openTab();
    await tab.downloads.download(model);
    expect(server.requests).toEqual(["list", large]);
    expect(await tab.hashFile(large)).toBe(hash(changed[large]));
  });
});

describe("a source with faults", () => {
  const fail = (reason: string) => expect.objectContaining({ status: "failed", reason });

  it("keeps what has arrived when the connection breaks, and a second try gets the rest", async () => {
    const tab = openTab();
    server.faults.set(large, { cutAfter: 5_000_000 });
    await tab.downloads.download(model);
    expect(tab.getState()).toEqual(fail("cut"));
    expect(await tab.hashFile("config.json")).toBeNull();
    const bytes = tab.getState()?.bytes ?? 0;
    expect(bytes).toBeGreaterThan(4_000_000);
    server.faults.clear();
    server.requests.length = 0;
    await tab.downloads.download(model);
    expect(server.requests).toEqual(["list", `${large} from ${bytes - 90_700}`]);
    expect(await tab.hashFile(large)).toBe(hash(files[large]));
  });

  it.each([
    ["a large file with another byte", large, createBytes(9_500_000, 4)],
    ["a small file with another byte", "config.json", createBytes(700, 4)],
    ["a file that is longer", large, createBytes(9_600_000, 3)],
  ])("deletes %s, and a second try succeeds", async (_, path, data) => {
    const tab = openTab();
    server.faults.set(path, { data });
    await tab.downloads.download(model);
    expect(tab.getState()).toEqual(fail("wrong"));
    const others = path === large ? 90_700 : 0;
    expect(tab.getState()?.bytes).toBe(others);
    server.faults.clear();
    await tab.downloads.download(model);
    expect(await tab.hashFile(path)).toBe(hash(files[path as keyof typeof files]));
  });

  it.each([
    ["a list that does not exist", "list", { status: 404 }, "missing"],
    ["a list that is no list", "list", { data: Buffer.from("{}") }, "missing"],
    ["a list that is no JSON", "list", { data: Buffer.from("oops") }, "missing"],
    ["a list without a file", "list", { data: Buffer.from("[]") }, "missing"],
    ["a file that does not exist", large, { status: 404 }, "missing"],
    [
      "a document in place of a file",
      large,
      { contentType: "text/html; charset=utf-8" },
      "missing",
    ],
    ["a server that is busy", "list", { status: 503 }, "unreachable"],
    ["a server that refuses so many requests", large, { status: 429 }, "unreachable"],
  ])("tells of %s, and a second try succeeds", async (_, path, fault, reason) => {
    const tab = openTab();
    server.faults.set(path, fault);
    await tab.downloads.download(model);
    expect(tab.getState()).toEqual(fail(reason));
    server.faults.clear();
    await tab.downloads.download(model);
    expect(tab.getState()?.status).toBe("stored");
  });

  it("tells when nobody answers", async () => {
    await server.close();
    const tab = openTab();
    await tab.downloads.download(model);
    expect(tab.getState()).toEqual(fail("unreachable"));
  });

  it("gives up when nothing arrives any more", async () => {
    const tab = openTab({ fetch: createFetchWithIdleTimeout(500) });
    hold(5_000_000);
    await tab.downloads.download(model);
    expect(tab.getState()).toEqual(fail("cut"));
  });

  it("downloads nothing that is larger than what the person agreed to", async () => {
    const tab = openTab();
    await tab.downloads.download(model, totalBytes / 2);
    expect(tab.getState()).toEqual({
      status: "failed",
      reason: "larger",
      bytes: 0,
      totalBytes,
    });
    expect(server.requests).toEqual(["list"]);
  });
});

describe("the storage", () => {
  it("is not filled where there is too little room", async () => {
    const tab = openTab({ getFreeBytes: async () => 5_000_000 });
    await tab.downloads.download(model);
    expect(tab.getState()).toEqual({
      status: "failed",
      reason: "full",
      bytes: 0,
      totalBytes,
    });
    expect(server.requests).toEqual(["list"]);
  });

  it("has room again when it has become full: nothing is left of the model", async () => {
    const tab = openTab();
    const put = IDBObjectStore.prototype.put;
    let parts = 0;
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      if (this.name === "parts" && ++parts > 3)
        throw new DOMException("no room", "QuotaExceededError");
      return put.apply(this, args);
    });
    await tab.downloads.download(model);
    const full = { status: "failed", reason: "full", bytes: 0 };
    expect(tab.getState()).toMatchObject(full);
    expect(await tab.store.list()).toEqual([]);
    vi.restoreAllMocks();
    // Another part of the page looks up what is stored.
    await tab.downloads.refresh();
    expect(tab.getState()).toMatchObject(full);
    await tab.downloads.download(model);
    expect(tab.getState()?.status).toBe("stored");
  });

  it("may be missing", async () => {
    vi.stubGlobal("indexedDB", {
      open: () => {
        throw new DOMException("private window", "InvalidStateError");
      },
    });
    const tab = openTab();
    await tab.downloads.refresh();
    expect(tab.getState()).toMatchObject({ status: "failed", reason: "unavailable" });
    await tab.downloads.download(model);
    expect(tab.getState()).toMatchObject({ status: "failed", reason: "unavailable" });
  });

  it("gives no files of a model of which one is not whole, and gets that one again", async () => {
    const tab = openTab();
    await tab.downloads.download(model);
    await tab.store.openTarget(model.id).clear(large);
    expect(await tab.store.readFiles(model.id)).toBeNull();
    await tab.downloads.refresh();
    expect(tab.getState()).toEqual({ status: "absent", bytes: 90_700 });
    await tab.downloads.download(model);
    expect(tab.getState()?.status).toBe("stored");
    expect(await tab.hashFile(large)).toBe(hash(files[large]));
  });

  it("is free after a deletion, also of a half model", async () => {
    const tab = await cancelAfter(5_000_000);
    await tab.downloads.remove(model);
    expect(tab.getState()).toEqual({ status: "absent", bytes: 0 });
    await tab.downloads.download(model);
    await tab.downloads.remove(model);
    expect(await tab.store.list()).toEqual([]);
    expect(await tab.hashFile("config.json")).toBeNull();
  });
});

describe("two tabs", () => {
  it("download a model once, and both know that it is stored", async () => {
    const [first, second] = [openTab(), openTab()];
    await Promise.all([first.downloads.download(model), second.downloads.download(model)]);
    expect(server.requests.toSorted()).toEqual(["list", ...Object.keys(files)].toSorted());
    expect(first.getState()).toEqual({ status: "stored", bytes: totalBytes });
    expect(second.getState()).toEqual({ status: "stored", bytes: totalBytes });
  });

  it("show one download, and its end", async () => {
    const [first, second] = [openTab(), openTab()];
    await second.downloads.refresh();
    const release = hold(5_000_000);
    const download = first.downloads.download(model);
    const shown = await second.waitFor((state) => state.bytes > 4_000_000);
    expect(shown).toMatchObject({ status: "downloading", totalBytes, isHere: false });
    const third = openTab();
    await third.downloads.refresh();
    expect(third.getState()).toMatchObject({ status: "downloading", isHere: false });
    release();
    await download;
    await Promise.all([second.waitFor(isStored), third.waitFor(isStored)]);
    await second.downloads.remove(model);
    await first.waitFor(({ status }) => status === "absent");
  });

  it("see what a cancelled download has left", async () => {
    const [first, second] = [openTab(), openTab()];
    hold(5_000_000);
    const download = first.downloads.download(model);
    await second.waitFor((state) => state.bytes > 4_000_000);
    first.downloads.cancel(model.id);
    await download;
    const state = await second.waitFor(({ status }) => status === "absent");
    expect(state.bytes).toBeGreaterThan(4_000_000);
  });
});
