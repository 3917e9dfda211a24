import { describe, expect, test } from "vitest";
import { guestTicketHeader } from "../../../src/shared/site.ts";
import { openBrowser, openSignedIn } from "../support/client.ts";
import { codeOf } from "../support/codes.ts";
import { faultFor } from "./support.ts";

const beginning = "Refraction bends light. Refraction happens at glass surfaces.";

describe("ai.context", () => {
  test("users and guests are told what a lecture is about", async () => {
    const { trpc } = await openSignedIn();
    const { context } = await trpc.ai.context.mutate({ text: beginning });
    expect(context).toContain("refraction");
    expect(context.length).toBeLessThanOrEqual(300);

    const guest = await openBrowser().trpc.recording.guestTicket.mutate({ previous: null });
    const asGuest = openBrowser({ [guestTicketHeader]: guest.ticket }).trpc;
    expect(await asGuest.ai.context.mutate({ text: beginning })).toEqual({ context });
    expect(await codeOf(openBrowser().trpc.ai.context.mutate({ text: beginning }))).toBe(
      "unauthenticated",
    );
  });

  test("an answer that is none has failed, a long one is cut", async () => {
    const { trpc } = await openSignedIn();
    await faultFor("subject unknown", { answer: " \n" });
    expect(await codeOf(trpc.ai.context.mutate({ text: "subject unknown" }))).toBe("llm_failed");
    await faultFor("subject garbled", { fail: "garbage" });
    expect(await codeOf(trpc.ai.context.mutate({ text: "subject garbled" }))).toBe("llm_failed");
    await faultFor("subject wide", { answer: "optics, ".repeat(200) });
    const { context } = await trpc.ai.context.mutate({ text: "subject wide" });
    expect(context.length).toBeLessThanOrEqual(300);
    expect(context.endsWith("optics")).toBe(true);
  });

  test("text is needed, within bounds, and not too often", async () => {
    const { trpc } = await openSignedIn();
    expect(await codeOf(trpc.ai.context.mutate({ text: " " }))).toBe("validation_failed");
    expect(await codeOf(trpc.ai.context.mutate({ text: "x".repeat(20_001) }))).toBe(
      "validation_failed",
    );
    for (let call = 0; call < 20; call += 1) await trpc.ai.context.mutate({ text: "often" });
    expect(await codeOf(trpc.ai.context.mutate({ text: "often" }))).toBe("rate_limited");
  });
});
