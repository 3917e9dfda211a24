import { describe, expect, it } from "vitest";
import {
  findSentence,
  initialPlayer,
  playerLengthSeconds,
  reducePlayer,
} from "#client/features/mock/record/player.ts";

const running = reducePlayer(initialPlayer, { type: "toggle" });
const tick = { type: "tick" } as const;

describe("the player", () => {
  it("is 192 s long", () => expect(playerLengthSeconds).toBe(192));

  it("advances a second with each tick while it plays", () => {
    expect(reducePlayer(running, tick)).toEqual({ position: 1, playing: true });
    const paused = reducePlayer(reducePlayer(running, tick), { type: "toggle" });
    expect(paused).toEqual({ position: 1, playing: false });
    expect(reducePlayer(paused, tick)).toBe(paused);
  });

  it("stops at the end, and starts again from the beginning", () => {
    const last = reducePlayer(running, { type: "seek", position: 191 });
    expect(last).toEqual({ position: 191, playing: true });
    const ended = reducePlayer(last, tick);
    expect(ended).toEqual({ position: 192, playing: false });
    expect(reducePlayer(ended, tick)).toBe(ended);
    expect(reducePlayer(ended, { type: "toggle" })).toEqual({ position: 0, playing: true });
  });

  it.each([
    [-5, 0],
    [40.4, 40],
    [1000, 192],
  ])("seeks %d within its length", (position, expected) => {
    expect(reducePlayer(initialPlayer, { type: "seek", position }).position).toBe(expected);
  });

  it("stops when the user seeks to its end", () => {
    expect(reducePlayer(running, { type: "seek", position: 192 }).playing).toBe(false);
  });
});

it("finds the sentence at a position", () => {
  const starts = [3, 10, 20];
  expect([0, 3, 9, 10, 192].map((position) => findSentence(starts, position))).toEqual([
    -1, 0, 0, 1, 2,
  ]);
});
