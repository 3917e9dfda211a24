import { describe, expect, test } from "vitest";
import { openBrowser, openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { callUntilLimited } from "#tests/worker/support/limits.ts";
import { openGuest, storeLecture } from "./support.ts";

const beginning = "Refraction bends light. Refraction happens at glass surfaces.";

describe("ai.context", () => {
  test("describes a user's stored lecture, and a guest's text", async () => {
    const { trpc } = await openSignedIn();
    const lectureId = await storeLecture(trpc, beginning);
    const { context, title } = await trpc.ai.context.mutate({ lectureId });
    expect(title).toBeNull();
    expect(context).toContain("refraction");
    expect(context.length).toBeLessThanOrEqual(300);
    const { trpc: guest } = await openGuest();
    expect(await guest.ai.context.mutate({ text: beginning })).toEqual({
      context,
      title: "〔English·demo〕 refraction",
    });
  });

  test("accepts a lecture only from a user and text only from a guest", async () => {
    const { trpc } = await openSignedIn();
    const lectureId = await storeLecture(trpc, beginning);
    expect(await getErrorCode(trpc.ai.context.mutate({ text: beginning }))).toBe(
      "validation_failed",
    );
    const { trpc: guest } = await openGuest();
    expect(await getErrorCode(guest.ai.context.mutate({ lectureId }))).toBe("sign_in_required");
    for (const input of [{ text: beginning }, { lectureId }])
      expect(await getErrorCode(openBrowser().trpc.ai.context.mutate(input))).toBe(
        "unauthenticated",
      );
  });

  test("requires words within bounds, and limits the calls", async () => {
    const { trpc: guest } = await openGuest();
    for (const text of [" ", "x".repeat(4_001)])
      expect(await getErrorCode(guest.ai.context.mutate({ text }))).toBe("validation_failed");
    const { trpc } = await openSignedIn();
    const lectureId = await storeLecture(trpc, `${"a word ".repeat(2_000)}beyond`);
    const refusals = await callUntilLimited(20, () => trpc.ai.context.mutate({ lectureId }));
    expect(refusals.slice(0, 20)).toEqual(Array(20).fill({ appCode: "no error" }));
    expect(refusals.at(-1)).toMatchObject({ appCode: "rate_limited" });
  });
});
