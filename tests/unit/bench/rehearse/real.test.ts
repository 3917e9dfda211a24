import { expect, it } from "vitest";
import { relayGivenWords } from "#bench/rehearse/real/given-words.ts";
import { addPause, toPageSound } from "#bench/rehearse/real/sounds.ts";
import { findServer } from "#bench/rehearse/real/speech-server.ts";
import { listMissing, listUnanswered } from "#bench/rehearse/real/speech-trials.ts";
import { chunkSound, createWordlessSound } from "#bench/rehearse/sound.ts";
import { readWords } from "#bench/rehearse/speech-facts.ts";
import { Stream } from "#bench/rehearse/stream.ts";
import { createDeepgramStandIn } from "#local/deepgram/stand-in.ts";
import { serve } from "#tests/unit/local/serve.ts";
import { toDeepgramUrl } from "#worker/adapters/deepgram-address.ts";
import { parseDeepgramMessage } from "#worker/adapters/deepgram-messages.ts";

const rate = 16_000;

it("puts a pause where nobody speaks, and changes nothing else", () => {
  const quietFrom = 9 * rate;
  const samples = Float32Array.from({ length: 20 * rate }, (_, at) =>
    at >= quietFrom && at < quietFrom + rate ? 0.001 : Math.sin(at / 5),
  );
  const paused = addPause(samples, 3);
  expect(paused.length).toBe(23 * rate);
  let silent = 0;
  for (let run = 0, at = 0; at < paused.length && run < 3 * rate; at += 1) {
    run = paused[at] === 0 ? run + 1 : 0;
    silent = at + 1 - run;
  }
  expect(silent).toBeGreaterThanOrEqual(quietFrom);
  expect(silent).toBeLessThan(quietFrom + rate);
  const rest = [...paused.subarray(0, silent), ...paused.subarray(silent + 3 * rate)];
  expect(rest.every((value, at) => value === samples[at])).toBe(true);
});

it("sends sound as a page does", () => {
  const samples = new Float32Array(rate);
  expect(toPageSound(samples, "pcm_s16le")).toMatchObject({ chunkMs: 256 });
  expect(toPageSound(samples, "opus").chunks).toHaveLength(4);
});

it("lists the words of one text that another one does not have in their order", () => {
  expect(listMissing("One two three.", "one, Two three")).toEqual([]);
  expect(listMissing("one two three four", "one three five")).toEqual([
    { expected: "two", found: "" },
    { expected: "four", found: "five" },
  ]);
  expect(listMissing("one two", "")).toEqual([{ expected: "one two", found: "" }]);
  expect(listMissing("all disposed to go", "ill-disposed and to go")).toEqual([
    { expected: "all disposed", found: "ill-disposed and" },
  ]);
});

it("lists the words of one answer for whose sound a page has neither words nor a gap", () => {
  const given = [1, 5, 9].map((at) => ({
    text: ` w${at}`,
    isFinal: true,
    startMs: at * 1_000,
    endMs: at * 1_000 + 300,
    speaker: null,
  }));
  const words = [{ text: " w", is_final: true, start_ms: 1_400, end_ms: 1_700 }];
  const loud = { levels: Array(10).fill(20), chunkMs: 1_000 };
  expect(listUnanswered(given, { words, gaps: [] }, loud)).toEqual(["w5", "w9"]);
  const gaps = [{ startMs: 8_000, endMs: 10_000 }];
  expect(listUnanswered(given, { words, gaps }, loud)).toEqual(["w5"]);
  // The server has invented the second one.
  const paused = { levels: [20, 20, 0, 0, 0, 0, 0, 0, 20, 20], chunkMs: 1_000 };
  expect(listUnanswered(given, { words, gaps: [] }, paused)).toEqual(["w9"]);
});

it("notes the final words of a server, stream by stream, and passes its messages on", async () => {
  const server = await serve(createDeepgramStandIn({ needsKey: false }));
  const given = await relayGivenWords(`${server.url.replace("http", "ws")}/deepgram/v1/listen`);
  const about = { languages: ["en"] as const, context: "", terms: [], diarization: false };
  const start = { codec: "pcm_s16le" as const, sampleRate: 16_000, ...about };
  const stream = new Stream(toDeepgramUrl({ url: given.url, model: "nova-3" }, start), {});
  await stream.open();
  for (const chunk of chunkSound(createWordlessSound(), "pcm_s16le").chunks) stream.send(chunk);
  stream.send({ type: "CloseStream" });
  await stream.closed();
  const { text } = readWords(stream, parseDeepgramMessage);
  expect(text).not.toBe("");
  expect(given.take()).toEqual([text]);
  expect(given.take()).toEqual([]);
  await given.close();
  await server.close();
});

it("finds no server that is not installed", async () => {
  expect(await findServer("no-such-speech-server")).toBeNull();
});
