import type { Page } from "@playwright/test";
import {
  createRecording,
  getToastTitle,
  record,
  save,
  signUp,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows, toExpectedRows } from "./support/transcript.ts";

const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save Lecture" });

const lecture = { wordsPerSentence: 4, sentencesPerSpeaker: 2 };

/** Removes our extension for binary audio from the relay, so audio is sent in base64. */
async function forceBase64(page: Page): Promise<{ audioFrames: () => number }> {
  let audioFrames = 0;
  await page.routeWebSocket(/\/api\/recordings\//, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((frame) => {
      if (typeof frame !== "string") return server.send(frame);
      const message = JSON.parse(frame);
      if (message.type === "audio") audioFrames += 1;
      if (message.type !== "config") return server.send(frame);
      const { audio: _, ...config } = message;
      return server.send(JSON.stringify(config));
    });
  });
  return { audioFrames: () => audioFrames };
}

for (const [codec, encoding, to] of [
  ["opus", "binary", 16],
  ["pcm_s16le", "base64", 8],
] as const) {
  test(`shows, translates and stores every word once and in order (${codec}, ${encoding})`, async ({
    visit,
  }) => {
    const { wav, fixture } = await createRecording({ ...lecture, to });
    const page = await visit({ wav, codec });
    const wire = encoding === "base64" ? await forceBase64(page) : null;
    await signUp(page, "/record");

    await record(page);
    await expect(page.getByText("Recording...", { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "Summary" })).toBeHidden();
    const last = fixture.sentences.at(-1)?.text ?? "";
    await waitForTranscriptText(page, last, fixture.durationMs);
    await stopRecording(page);
    await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
    if (wire) expect(wire.audioFrames()).toBeGreaterThan(fixture.durationMs / 256 / 2);

    await save(page);
    await page.getByLabel("Lecture name").fill("Counting aloud");
    await saveDialog(page).getByRole("button", { name: "Save" }).click();
    await expect(getToastTitle(page, "Lecture Saved Successfully")).toBeVisible();
    await expect(page.getByText("Ready", { exact: true })).toBeVisible();

    await page.goto("/");
    await page.getByRole("link", { name: "Counting aloud", exact: true }).click();
    await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
    await page.reload();
    await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
  });
}
