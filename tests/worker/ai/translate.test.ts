import { describe, expect, test } from "vitest";
import { guestTicketHeader } from "#shared/site.ts";
import { openBrowser, openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { failRequests, openGuest, untilOpen } from "./support.ts";

const request = (text: string) => ({
  text,
  targetLanguage: "zh-cn" as const,
  context: "",
  wordContext: "",
});

describe("ai.translate", () => {
  test("translates a user's text", async () => {
    const { trpc } = await openSignedIn();
    const { translatedText } = await trpc.ai.translate.mutate(request("Light bends."));
    expect(await translatedText).toContain("Light bends");
    expect(await translatedText).toContain("简体中文");
  });

  test("translates a guest's text with a valid ticket only", async () => {
    const { trpc, ticket } = await openGuest();
    const { translatedText } = await trpc.ai.translate.mutate(request("Hello there."));
    expect(await translatedText).toContain("Hello there");
    expect(await getErrorCode(trpc.lectures.list.query({}))).toBe("sign_in_required");
    const forged = openBrowser({ [guestTicketHeader]: `${ticket}x` });
    expect(await getErrorCode(forged.trpc.ai.translate.mutate(request("Hello.")))).toBe(
      "unauthenticated",
    );
    expect(await getErrorCode(openBrowser().trpc.ai.translate.mutate(request("Hello.")))).toBe(
      "unauthenticated",
    );
  });

  test("answers `llm_failed` if the model keeps failing", async () => {
    const { trpc } = await openSignedIn();
    await failRequests("unlucky sentence", { fail: 400 });
    const { translatedText } = await trpc.ai.translate.mutate(request("An unlucky sentence."));
    expect(await getErrorCode(Promise.resolve(translatedText))).toBe("llm_failed");
  });

  test("retries a single failure", async () => {
    const { trpc } = await openSignedIn();
    await failRequests("second attempt", { fail: 503, count: 1 });
    const { translatedText } = await trpc.ai.translate.mutate(request("A second attempt."));
    expect(await translatedText).toContain("second attempt");
  });

  test("answers a caller that takes no stream with the translation itself", async () => {
    const { browser } = await openSignedIn();
    const response = await browser.fetch("/trpc/ai.translate", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request("Light bends.")),
    });
    expect(await response.json()).toMatchObject({
      result: { data: { translatedText: expect.stringContaining("Light bends") } },
    });
  });

  test("says when the model begins, so that a wait before it is not counted", async () => {
    const { trpc } = await openSignedIn();
    await failRequests("a long sentence", { delayMs: 60_000 });
    const hangUp = new AbortController();
    const { signal } = hangUp;
    const answer = await trpc.ai.translate.mutate(request("a long sentence"), { signal });
    const failed = getErrorCode(Promise.resolve(answer.translatedText));
    await untilOpen("a long sentence", 1);
    hangUp.abort();
    await failed;
    await untilOpen("a long sentence", 0);
  });

  test("ends the model's work when the caller disconnects", async () => {
    const { trpc } = await openSignedIn();
    await failRequests("a slow sentence", { delayMs: 60_000 });
    const hangUp = new AbortController();
    const call = trpc.ai.translate.mutate(request("a slow sentence"), { signal: hangUp.signal });
    const failed = call.then(({ translatedText }) => translatedText).catch(() => {});
    await untilOpen("a slow sentence", 1);
    hangUp.abort();
    await failed;
    await untilOpen("a slow sentence", 0);
  });

  test("sends something while it waits, which shows a runtime that the caller has gone", async () => {
    const { browser } = await openSignedIn();
    await failRequests("a held sentence", { delayMs: 60_000 });
    const hangUp = new AbortController();
    const { body, headers } = await browser.fetch("/trpc/ai.translate?batch=1", {
      method: "POST",
      headers: { "content-type": "application/json", "trpc-accept": "application/jsonl" },
      body: JSON.stringify({ 0: request("a held sentence") }),
      signal: hangUp.signal,
    });
    expect(headers.get("content-type")).toBe("application/jsonl");
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    // The head of the stream, and a space after it.
    while (!/\n +$/.test(text)) text += (await reader?.read())?.value ?? "";
    await untilOpen("a held sentence", 1);
    await reader?.cancel();
    await untilOpen("a held sentence", 0);
  });
});
