import { describe, expect, test } from "vitest";
import { hour, TestRoom } from "./test-room.ts";

/** A room whose client has recorded ten seconds and left. */
function createUsedRoom(): TestRoom {
  const room = new TestRoom().ready().speak(0, 40);
  room.leave(1000);
  while (room.state.usage.inFlight) room.usageFlushed();
  return room;
}

const isDeleted = (room: TestRoom) => room.listEffects("deleteStorage").length > 0;

describe("a room's storage", () => {
  test("is deleted once, 20 hours after its last use", () => {
    const room = createUsedRoom();
    room.pass(20 * hour - 1);
    expect(isDeleted(room)).toBe(false);
    room.pass(1);
    expect(isDeleted(room)).toBe(true);
    room.take();
    room.pass(48 * hour);
    expect(room.take()).toEqual([]);
  });

  test("is deleted at the same time if the room was evicted", () => {
    const room = createUsedRoom();
    room.pass(19 * hour);
    room.evict();
    room.step({ type: "alarm" });
    room.pass(hour);
    expect(isDeleted(room)).toBe(true);
  });

  test("of an earlier version counts as stored when the room is next loaded", () => {
    const room = createUsedRoom();
    if (room.saved) room.saved = { ...room.saved, storedAt: null };
    room.pass(hour);
    room.evict();
    room.step({ type: "alarm" });
    expect(room.saved?.storedAt).toBe(room.now);
    room.pass(20 * hour);
    expect(isDeleted(room)).toBe(true);
  });

  test("is kept while a page is connected, and for 20 hours more", () => {
    const room = createUsedRoom();
    room.reconnect({ from: 41 });
    for (let step = 0; step < 30 * 120; step += 1) {
      room.pass(30_000);
      room.browser({ type: "keepalive" }, "b");
    }
    expect(isDeleted(room)).toBe(false);
    room.leave(1001, "b");
    room.usageFlushed();
    room.pass(20 * hour);
    expect(isDeleted(room)).toBe(true);
  });

  test("is deleted although the page left normally before it had configured its new connection", () => {
    const room = new TestRoom().ready().speak(0, 40);
    room.leave(1006);
    while (room.state.usage.inFlight) room.usageFlushed();
    room.connect("b");
    room.leave(1000, "b");
    while (room.state.usage.inFlight) room.usageFlushed();
    expect(room.writes.at(-1)?.[2]).toBe(true);
    room.pass(20 * hour);
    expect(isDeleted(room)).toBe(true);
  });

  test("is kept while recorded time is not in the ledger", () => {
    const room = new TestRoom().ready().speak(0, 40);
    room.leave(1000);
    for (let step = 0; step < 2_000; step += 1) {
      room.pass(60_000);
      room.usageFailed();
    }
    expect(isDeleted(room)).toBe(false);
    room.usageFlushed();
    room.pass(60_000);
    while (room.state.usage.inFlight) room.usageFlushed();
    room.pass(20 * hour);
    expect(isDeleted(room)).toBe(true);
  });
});
