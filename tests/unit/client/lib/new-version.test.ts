// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const minute = 60_000;

let served: string | Error;
const fetchVersion = vi.fn(async () => {
  if (served instanceof Error) throw served;
  return new Response(served);
});
let version: typeof import("#client/lib/new-version.ts");
let reports: number;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal("fetch", fetchVersion.mockClear());
  document.head.innerHTML = '<meta name="version" content="version-one">';
  served = "version-one";
  reports = 0;
  version = await import("#client/lib/new-version.ts");
  version.newVersion.subscribe(() => {
    reports += 1;
  });
  version.watchDeployments();
});
afterEach(() => void vi.useRealTimers());

const wake = () => window.dispatchEvent(new Event("online"));
const expectCounts = (requests: number, reported: number) =>
  expect([fetchVersion.mock.calls.length, reports]).toEqual([requests, reported]);

it("checks every half hour, and reports once", async () => {
  await vi.advanceTimersByTimeAsync(29 * minute);
  expectCounts(0, 0);
  await vi.advanceTimersByTimeAsync(2 * minute);
  expectCounts(1, 0);
  served = "version-two";
  await vi.advanceTimersByTimeAsync(30 * minute);
  expectCounts(2, 1);
  await vi.advanceTimersByTimeAsync(120 * minute);
  await version.checkVersion();
  expectCounts(2, 1);
});

it("checks when the user returns, at most once a minute", async () => {
  wake();
  wake();
  await vi.advanceTimersByTimeAsync(30_000);
  wake();
  expectCounts(1, 0);
  await vi.advanceTimersByTimeAsync(31_000);
  served = "version-two";
  wake();
  await vi.advanceTimersByTimeAsync(0);
  expectCounts(2, 1);
});

it.each([
  ["the document in its place", "<!doctype html><html></html>"],
  ["nothing", ""],
  ["no server", new Error("offline")],
])("takes %s for no version", async (_what, answer) => {
  served = answer;
  await version.checkVersion();
  expectCounts(1, 0);
});

it("joins a check in flight", async () => {
  await Promise.all([version.checkVersion(), version.checkVersion()]);
  expectCounts(1, 0);
});
