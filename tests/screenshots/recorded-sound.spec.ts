import { randomUUID } from "node:crypto";
import { signUp } from "#tests/e2e/support/journey.ts";
import { callProcedure } from "#tests/e2e/support/library.ts";
import { storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { entropy, placeSentences } from "./sentences.ts";
import { captureReloaded, chooseFromLectureMenu, looks } from "./shoot.ts";

/** Gaps in the sound of a lecture, and its recording's details. */

const minutes = (count: number) => count * 60_000;

test("captures gaps, the details of a recording, and the printed page", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const rows = placeSentences(entropy.slice(0, 9));
  const id = await storeLecture(page, rows, { title: "Entropy" });
  const startedAt = Date.UTC(2026, 10, 20, 10, 4);
  const takes = [
    {
      id: randomUUID(),
      startedAt,
      codec: "opus",
      capturedMs: minutes(47) + 26_000,
      acknowledgedMs: minutes(46),
      transcribedMs: minutes(46) - 9_000,
      missingMs: 86_000,
      gaps: [
        { atMs: 17_500, lengthMs: 12_000, reason: "muted" },
        { atMs: 35_500, lengthMs: 74_000, reason: "disconnected" },
        { atMs: 47_300, lengthMs: 2_600, reason: "noWords" },
      ],
    },
    {
      id: randomUUID(),
      startedAt: startedAt + minutes(55),
      codec: "pcm_s16le",
      capturedMs: minutes(41),
      acknowledgedMs: minutes(41) - 12_000,
      transcribedMs: minutes(41) - 15_000,
      missingMs: 0,
      gaps: [{ atMs: 71_500, lengthMs: null, reason: "disconnected" }],
    },
  ];
  await callProcedure(page, "takes.store", { lectureId: id, takes });
  const address = `/?lecture=${id}`;
  await captureReloaded(
    page,
    "gaps",
    address,
    async (shown) => {
      await expect(shown.locator("[data-gap]")).toHaveCount(4);
    },
    looks,
  );
  await captureReloaded(
    page,
    "recording-details",
    address,
    async (shown, getMessage) => {
      await chooseFromLectureMenu(shown, getMessage, "reading.recordingDetails");
      await expect(shown.getByRole("dialog").getByRole("listitem")).toHaveCount(3);
    },
    looks,
  );
  await captureReloaded(page, "gaps-printed", `/print?lecture=${id}`, async (shown) => {
    await expect(shown.locator(".printed-gap")).toHaveCount(4);
  });
});
