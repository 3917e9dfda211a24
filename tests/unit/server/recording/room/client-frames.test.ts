import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseClientFrame } from "#server/recording/room/client-frames.ts";
import { encodeAudioFrame } from "#shared/relay.ts";

const pcm = Uint8Array.from({ length: 8_192 }, (_, index) => index % 251);
const base64 = Buffer.from(pcm).toString("base64");

const createConfig = (more: object) =>
  JSON.stringify({ type: "config", sampleRate: 16_000, language: "en", ...more });

describe("a browser's frame", () => {
  test("contains the same audio in base64 and in binary", () => {
    const text = parseClientFrame(JSON.stringify({ type: "audio", data: base64, seq: 7 }));
    expect(text).toMatchObject({ type: "audio", seq: 7, binary: false });
    expect(text.type === "audio" && Buffer.from(pcm).equals(text.chunk)).toBe(true);
    const binary = parseClientFrame(encodeAudioFrame(7, pcm).buffer);
    expect(binary).toMatchObject({ type: "audio", seq: 7, binary: true });
    expect(binary.type === "audio" && Buffer.from(pcm).equals(binary.chunk)).toBe(true);
  });

  test("may have no sequence number", () => {
    const frame = JSON.stringify({ type: "audio", data: base64 });
    expect(parseClientFrame(frame)).toMatchObject({ type: "audio", seq: null });
  });

  test.each([
    ["text that is no JSON", "config"],
    ["an unknown type", '{"type":"shout"}'],
    ["a list", "[]"],
    ["null", "null"],
    ["config without a rate", '{"type":"config","language":"en"}'],
    ["another language", '{"type":"config","language":"xx","sampleRate":16000}'],
    ["Opus in base64", createConfig({ codec: "opus", take: crypto.randomUUID() })],
    ["Opus without a take", createConfig({ codec: "opus", audio: "binary" })],
    ["audio that is no base64", '{"type":"audio","data":"***!"}'],
    ["audio of half a sample", '{"type":"audio","data":"AAAA"}'],
    ["empty audio", '{"type":"audio","data":""}'],
    ["a negative number", `{"type":"audio","data":"${base64}","seq":-1}`],
  ])("is malformed with %s", (_, frame) => {
    expect(parseClientFrame(frame).type).toBe("malformed");
  });

  test("is malformed in binary without a whole number", () => {
    for (const length of [0, 1, 3])
      expect(parseClientFrame(new ArrayBuffer(length)).type).toBe("malformed");
  });

  test.each<[string, object]>([
    ["that is empty", { data: "" }],
    ["that is no base64", { data: "***!" }],
    ["of half a sample", { data: "AAAA" }],
    ["that is no text", { data: 7 }],
    ["that is missing", {}],
  ])("keeps its number beside audio %s", (_, more) => {
    const frame = JSON.stringify({ type: "audio", seq: 7, ...more });
    const chunk = new Uint8Array();
    expect(parseClientFrame(frame)).toEqual({ type: "audio", seq: 7, chunk, binary: false });
  });

  test("keeps its number in binary without audio", () => {
    const chunk = new Uint8Array();
    const frame = encodeAudioFrame(7, chunk).buffer;
    expect(parseClientFrame(frame)).toEqual({ type: "audio", seq: 7, chunk, binary: true });
  });

  test("is too large above the limit in bytes", () => {
    expect(parseClientFrame(new ArrayBuffer(16_385)).type).toBe("tooBig");
    expect(parseClientFrame(" ".repeat(16_385)).type).toBe("tooBig");
    expect(parseClientFrame("语".repeat(5_500)).type).toBe("tooBig");
  });

  test("never makes the parser throw", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (frame) => {
        expect(parseClientFrame(frame).type).toBeTypeOf("string");
      }),
    );
  });
});
