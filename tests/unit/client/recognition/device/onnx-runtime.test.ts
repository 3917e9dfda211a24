import { afterEach, expect, it, vi } from "vitest";
import { fetchSpeechDetector } from "#client/recognition/device/onnx-runtime.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ["there is no network", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["the site does not have it", async () => new Response(null, { status: 404 })],
])(
  "says that a file of the program is missing where the voice detector is not fetched: %s",
  async (_name, fetch) => {
    vi.stubGlobal("fetch", fetch);
    await expect(fetchSpeechDetector()).rejects.toMatchObject({ code: "program" });
  },
);
