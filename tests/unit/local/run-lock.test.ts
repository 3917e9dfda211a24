import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acquireRunLock } from "#local/run-lock.ts";

/** A process that lives as long as the test, and is not this one. */
const otherPid = process.ppid;

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dualect-lock-"));
  file = join(folder, "run.lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the run lock", () => {
  it("is acquired, and removed on release", async () => {
    const lock = await acquireRunLock(file);
    expect(existsSync(file)).toBe(true);
    lock.release();
    expect(existsSync(file)).toBe(false);
  });

  it("reports the address and process of the running stack", async () => {
    const server = await listen();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(file, JSON.stringify({ pid: otherPid, url }));
    await expect(acquireRunLock(file)).rejects.toThrow(
      `already running at ${url} (process ${otherPid})`,
    );
    server.close();
  });

  it("replaces the lock of a process that has ended", async () => {
    const ended = spawnSync(process.execPath, ["-e", ""]).pid;
    writeFileSync(file, JSON.stringify({ pid: ended, url: null }));
    await expect(acquireRunLock(file)).resolves.toBeDefined();
  });

  it("replaces the lock if its process id now belongs to another program", async () => {
    const server = await listen();
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    writeFileSync(file, JSON.stringify({ pid: otherPid, url: `http://127.0.0.1:${port}` }));
    await expect(acquireRunLock(file)).resolves.toBeDefined();
  });

  it("respects a stack that is starting, but not one that never started", async () => {
    writeFileSync(file, JSON.stringify({ pid: otherPid, url: null }));
    await expect(acquireRunLock(file)).rejects.toThrow("already running");
    utimesSync(file, new Date(0), new Date(0));
    await expect(acquireRunLock(file)).resolves.toBeDefined();
  });

  it.each(["", "{", "[]", '{"pid":"1"}'])(
    "is taken over from a file that holds %j",
    async (text) => {
      writeFileSync(file, text);
      await expect(acquireRunLock(file)).resolves.toBeDefined();
    },
  );
});

function listen(): Promise<Server> {
  const server = createServer((_, response) => response.end());
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
