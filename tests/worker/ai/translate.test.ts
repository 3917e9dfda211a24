import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { guestTicketHeader } from "../../../src/shared/site.ts";
import { connectLlm } from "../../../src/worker/adapters/chat-completions.ts";
import { readEnv } from "../../../src/worker/env.ts";
import { openBrowser, openSignedIn } from "../support/client.ts";

const request = (text: string) => ({
  text,
  targetLanguage: "zh-cn" as const,
  context: "",
  wordContext: "",
});

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "no error",
    (error) => error.data?.appCode ?? error.code,
  );

const { llm } = readEnv(env);

/** Makes the model fail for prompts that contain `match`, and for no other test's. */
async function failFor(match: string, fault: Record<string, unknown>) {
  await fetch(llm.baseUrl.replace("/v1", "/control"), {
    method: "POST",
    body: JSON.stringify({ match, ...fault }),
  });
}

describe("ai.translate", () => {
  test("a user's text is translated by the model", async () => {
    const { trpc } = await openSignedIn();
    const { translatedText } = await trpc.ai.translate.mutate(request("Light bends."));
    expect(translatedText).toContain("Light bends");
    expect(translatedText).toContain("简体中文");
  });

  test("a guest's too, and nobody's without a valid ticket", async () => {
    const guest = await openBrowser().trpc.recording.guestTicket.mutate({ previous: null });
    const { trpc } = openBrowser({ [guestTicketHeader]: guest.ticket });
    expect((await trpc.ai.translate.mutate(request("Hello there."))).translatedText).toContain(
      "Hello there",
    );
    expect(await codeOf(trpc.lectures.list.query({}))).toBe("sign_in_required");
    const forged = openBrowser({ [guestTicketHeader]: `${guest.ticket}x` });
    expect(await codeOf(forged.trpc.ai.translate.mutate(request("Hello.")))).toBe(
      "unauthenticated",
    );
    expect(await codeOf(openBrowser().trpc.ai.translate.mutate(request("Hello.")))).toBe(
      "unauthenticated",
    );
  });

  test("a fragment without meaning is passed on as such", async () => {
    const { trpc } = await openSignedIn();
    const { translatedText } = await trpc.ai.translate.mutate(request("— … —"));
    expect(translatedText).toBe("[Untranslatable fragment]");
  });

  test("a model that fails for good is llm_failed", async () => {
    const { trpc } = await openSignedIn();
    await failFor("unlucky sentence", { fail: 400 });
    expect(await codeOf(trpc.ai.translate.mutate(request("An unlucky sentence.")))).toBe(
      "llm_failed",
    );
  });

  test("one failure is tried again", async () => {
    const { trpc } = await openSignedIn();
    await failFor("second attempt", { fail: 503, count: 1 });
    const { translatedText } = await trpc.ai.translate.mutate(request("A second attempt."));
    expect(translatedText).toContain("second attempt");
  });
});

describe("the Chat Completions adapter", () => {
  const prompt = (text: string) => ({
    system: "Target language: French",
    user: `<text>${text}</text>`,
  });

  test.each([
    ["garbage", "llm_failed"],
    [401, "llm_failed"],
    [429, "rate_limited"],
  ])("%s is %s", async (fail, code) => {
    const text = `adapter fault ${fail}`;
    await failFor(text, { fail });
    expect(await codeOf(connectLlm(llm).complete(prompt(text)))).toBe(code);
  });

  test("a caller that hangs up does not wait for the answer", async () => {
    await failFor("slow adapter", { delayMs: 60_000 });
    const signal = AbortSignal.timeout(50);
    const call = connectLlm(llm).complete({ ...prompt("slow adapter"), signal });
    await expect(call).rejects.toMatchObject({ code: "llm_failed" });
  });

  test("no server at all is llm_failed, and the log's detail holds no key", async () => {
    const nowhere = connectLlm({ ...llm, baseUrl: "http://127.0.0.1:1/v1", apiKey: "sk-secret" });
    const error = await nowhere.complete(prompt("x")).catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: "llm_failed", message: "no connection" });
  });
});
