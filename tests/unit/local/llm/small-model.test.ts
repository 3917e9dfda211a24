import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLlmStandIn } from "#local/llm/stand-in.ts";
import { control, serve } from "#tests/unit/local/serve.ts";

/** The stand-in with the manners of small models and of the servers on a person's own machine. */

let server: Awaited<ReturnType<typeof serve>>;
/** Delays of answers that have begun, and what ends each. */
let begun: (() => void)[];

beforeEach(async () => {
  begun = [];
  const wait = (ms: number) =>
    ms === 0 ? Promise.resolve() : new Promise<void>((resolve) => begun.push(resolve));
  server = await serve(createLlmStandIn({ wait }));
});
afterEach(() => server.close());

const set = (body: object) => control(server.url, "/llm/", body);

async function ask(text: string, more: object = {}) {
  const response = await fetch(`${server.url}/llm/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({
      model: "small",
      messages: [
        { role: "system", content: "Target language: German" },
        { role: "user", content: `<text>${text}</text>` },
      ],
      ...more,
    }),
  });
  return { status: response.status, body: await response.json() };
}

const read = async (text: string, more: object = {}) =>
  (await ask(text, more)).body.choices[0].message.content;

const format = {
  response_format: {
    type: "json_schema",
    json_schema: { name: "answer", schema: { type: "object", required: ["translation"] } },
  },
};

const expected = "〔Deutsch·Vorführung〕 Light bends.";

test("takes a schema, ignores or refuses it", async () => {
  expect(JSON.parse(await read("Light bends.", format))).toEqual({ translation: expected });
  await set({ schema: "ignored" });
  expect(await read("Light bends.", format)).toBe(expected);
  await set({ schema: "refused" });
  expect(await ask("Light bends.", format)).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("response_format") } },
  });
  expect(await read("Light bends.")).toBe(expected);
});

test("puts thoughts, fences and announcements around an answer, or gives another one", async () => {
  const answers: Record<string, string> = {};
  for (const manner of ["think", "fence", "preface", "echo", "wrongLanguage"]) {
    await set({ reset: true, manner });
    answers[manner] = await read("Light bends.");
  }
  expect(answers.think).toMatch(/^<think>.*<\/think>\n\n〔Deutsch/s);
  expect(answers.fence).toBe(`\`\`\`text\n${expected}\n\`\`\``);
  expect(answers.preface).toMatch(/^Sure! .*:\n\n〔Deutsch/);
  expect(answers.echo).toBe("Light bends.");
  expect(answers.wrongLanguage).toMatch(/^This is a text/);
});

test("repeats itself until the request's limit ends it", async () => {
  await set({ manner: "repeat" });
  const { body } = await ask("Light bends.", { max_tokens: 50 });
  expect(body.choices[0].finish_reason).toBe("length");
  expect(body.choices[0].message.content.split("Light bends.").length).toBeGreaterThan(4);
});

describe("a prompt that is too long", () => {
  test.each([
    ["exceeded", 500, "Context size has been exceeded."],
    ["slot", 400, "exceeds the available context size"],
  ])("%s", async (windowError, status, message) => {
    await set({ windowTokens: 20, windowError });
    expect(await ask("word ".repeat(50))).toMatchObject({
      status,
      body: { error: { code: status, message: expect.stringContaining(message) } },
    });
  });
});

test("reports its window in the list of models", async () => {
  const list = async () => (await (await fetch(`${server.url}/llm/v1/models`)).json()).data[0];
  expect(await list()).not.toHaveProperty("meta");
  await set({ reportedWindow: 2_048 });
  expect(await list()).toMatchObject({ meta: { n_ctx: 2_048 } });
});

test("answers as many at a time as it has slots, in their order", async () => {
  await set({ slots: 2, delayMs: 1 });
  const done: number[] = [];
  const calls = [0, 1, 2].map(async (number) => {
    await ask(`Light ${number}.`);
    done.push(number);
  });
  await expect.poll(() => begun.length).toBe(2);
  begun[0]?.();
  await expect.poll(() => begun.length).toBe(3);
  expect(done).toHaveLength(1);
  for (const end of begun) end();
  await Promise.all(calls);
});
