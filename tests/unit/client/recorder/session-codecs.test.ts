import { describe, expect, it, vi } from "vitest";
import { openPage, sayWords, World } from "./kit/harness.ts";
import { setUpNumbered } from "./kit/numbered-recognition.ts";
import { getExpectedText, range, wordsIn } from "./kit/simulated-room.ts";

/** Codecs of the takes that the room was told of, in order. */
const listCodecs = (world: World) => [
  ...new Map(world.room.configs.map(({ take, codec }) => [take, codec])).values(),
];

describe("a recording in Opus", () => {
  it("goes on in a new take of PCM when the encoder fails, without loss", async () => {
    const { world, page } = await sayWords(10, { codec: "opus" });
    world.live.encoder.fail();
    await page.say(11, 30);
    expect(page.view).toMatchObject({ status: "recording", connection: "live" });
    await page.stop();
    expect(page.text().replaceAll(".", "")).toBe(getExpectedText(30).replaceAll(".", ""));
    expect(listCodecs(world)).toEqual(["opus", "pcm_s16le"]);
    expect(world.takes.takes.size).toBe(0);
  });

  it("goes on in PCM when the encoder stalls, also if that is noticed at Stop", async () => {
    const { world, page } = await sayWords(10, { codec: "opus" });
    world.live.encoder.isStalled = true;
    await page.say(11, 14);
    await page.stop();
    expect(page.text().replaceAll(".", "")).toBe(getExpectedText(14).replaceAll(".", ""));
    expect(listCodecs(world)).toEqual(["opus", "pcm_s16le"]);
    expect(world.live.encoder.openCount).toBe(0);
  });

  it("closes the encoder with the microphone, also when a start is refused", async () => {
    const { world, page } = openPage({ codec: "opus" });
    page.microphone.error = "denied";
    await page.record();
    expect([page.view.status, world.live.encoder.openCount]).toEqual(["ready", 0]);
    page.microphone.error = null;
    await page.record();
    expect(world.live.encoder.openCount).toBe(1);
    page.session.dispose();
    await world.clock.advance(5_000);
    expect(world.live.encoder.openCount).toBe(0);
  });

  it("keeps its words over a change of the microphone", async () => {
    const { world, page } = await sayWords(5, { codec: "opus" });
    page.session.setMicrophone("lapel");
    await world.clock.until(() => page.microphone.openId === "lapel");
    await page.say(6, 10);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(10));
    expect(listCodecs(world)).toEqual(["opus"]);
  });

  it("loses only a chunk that the room refuses, and tells", async () => {
    const { world, page } = await sayWords(5, { codec: "opus" });
    const message = "This chunk is not Opus.";
    world.room.say({
      type: "error",
      code: "validation_failed",
      message,
      retryable: true,
      seq: 3,
    });
    await page.say(6, 10);
    expect(page.notices).toContainEqual({ kind: "soundMissing", seconds: 0.26 });
    await page.stop();
    expect(page.text()).toBe(getExpectedText(10));
    expect(world.room.connections).toBe(1);
    expect(page.kinds).not.toContain("providerError");
  });

  it("tells once of a refused chunk that is sent again over the next connection", async () => {
    const { world, page } = await sayWords(5, { codec: "opus" });
    const message = "This chunk is not Opus.";
    const refusal = { type: "error", code: "validation_failed", message, retryable: true } as const;
    world.room.say({ ...refusal, seq: 3 });
    await page.say(6, 7);
    world.room.drop();
    await page.say(8, 9);
    world.room.say({ ...refusal, seq: 3 });
    await page.say(10, 10);
    await page.stop();
    expect(page.recorded.gaps.get()).toHaveLength(1);
    expect(page.kinds.filter((kind) => kind === "soundMissing")).toHaveLength(1);
  });
});

it("sends PCM that an earlier version has stored before it records in Opus", async () => {
  const world = new World("pcm_s16le");
  const before = world.page();
  await before.record();
  await before.say(1, 10);
  before.close();
  world.live.codec = "opus";
  const page = await world.open();
  await page.recordWords(11, 20);
  expect(page.text().replaceAll(".", "")).toBe(getExpectedText(20).replaceAll(".", ""));
  expect(listCodecs(world).slice(-2)).toEqual(["pcm_s16le", "opus"]);
});

it("goes on in PCM when the encoder fails at the moment in which the browser takes over", async () => {
  const { world, page, say, pause } = setUpNumbered("opus");
  await page.record();
  await say(5);
  const live = await world.live.load();
  vi.spyOn(world.live, "load").mockResolvedValueOnce({
    ...live,
    newTake(...take) {
      // The encoder asks for another take while this one is being started.
      queueMicrotask(() => world.live.encoder.fail());
      return live.newTake(...take);
    },
  });
  await page.finish(page.session.recognizeWith("browser"));
  await say(10);
  await pause();
  await page.finish(page.session.recognizeWith("service"));
  await say(5);
  await page.stop();
  expect(wordsIn(page.text())).toEqual(range(1, 20));
  expect(page.kinds).not.toContain("soundMissing");
});
