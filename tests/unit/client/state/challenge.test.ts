// @vitest-environment happy-dom
import { expect, it, onTestFinished, vi } from "vitest";
import { pendingChallenges } from "#client/state/challenge.ts";
import { prepareGuestTicket, takeGuestTicket } from "#client/state/next-guest-ticket.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { waitUntil } from "#tests/unit/client/kit/wait-for.ts";

/** `aheadMs`: how far the server's clock is ahead of the device's. */
const createTicket = (aheadMs = 0) => ({
  recordingId: crypto.randomUUID(),
  ticket: "ticket",
  expiresAt: new Date(Date.now() + aheadMs + 3_600_000).toISOString(),
});

/** A server that asks for a challenge. */
function challengingServer() {
  const server = fakeServer({
    "recording.guestTicket": () =>
      JSON.stringify(server.sent.at(-1)).includes("token")
        ? createTicket()
        : new Refusal("challenge_required"),
  });
  return server;
}

const shown = () => waitUntil(() => pendingChallenges.get()[0]);

it("calls again with the token of the passed challenge", async () => {
  const { sent } = challengingServer();
  const taken = takeGuestTicket();
  const pending = await shown();
  expect(pending?.action).toBe("guest_ticket");
  pending?.pass("token");
  await expect(taken).resolves.toMatchObject({ ticket: "ticket" });
  expect(sent).toEqual([
    { "0": { previous: null } },
    { "0": { previous: null, challenge: "token" } },
  ]);
  expect(pendingChallenges.get()).toEqual([]);
});

it("requires no challenge where the site has none", async () => {
  const { calls } = fakeServer({ "recording.guestTicket": () => createTicket() });
  await takeGuestTicket();
  expect(calls).toEqual(["recording.guestTicket"]);
  expect(pendingChallenges.get()).toEqual([]);
});

it("rejects when the person cancels, and asks again the next time", async () => {
  challengingServer();
  const refused = prepareGuestTicket();
  (await shown())?.cancel();
  await expect(refused).rejects.toMatchObject({ code: "challenge_failed", retryable: false });
  const taken = takeGuestTicket();
  (await shown())?.pass("token");
  await expect(taken).resolves.toBeDefined();
});

it("keeps a late result for the next call when its caller has stopped waiting", async () => {
  const { calls } = challengingServer();
  const impatient = new AbortController();
  const first = takeGuestTicket(impatient.signal);
  const pending = await shown();
  impatient.abort();
  const second = takeGuestTicket();
  expect(pendingChallenges.get()).toHaveLength(1);
  pending?.pass("token");
  await expect(first).rejects.toMatchObject({ name: "AbortError" });
  await expect(second).resolves.toMatchObject({ ticket: "ticket" });
  expect(calls).toHaveLength(2);
});

it("takes a new ticket as it is on a device whose clock is ahead by hours", async () => {
  const { calls } = fakeServer({
    "recording.guestTicket": () =>
      calls.length < 5 ? createTicket(-2 * 3_600_000) : new Refusal("rate_limited"),
  });
  await expect(takeGuestTicket()).resolves.toMatchObject({ ticket: "ticket" });
  expect(calls).toHaveLength(1);
});

it("does not take a ticket that was prepared long ago", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { calls } = fakeServer({ "recording.guestTicket": () => createTicket() });
  await prepareGuestTicket();
  vi.setSystemTime(Date.now() + 3_600_000);
  await takeGuestTicket();
  expect(calls).toHaveLength(2);
});
