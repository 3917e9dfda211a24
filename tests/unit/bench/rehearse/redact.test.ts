import fc from "fast-check";
import { expect, it } from "vitest";
import { redact } from "#bench/rehearse/redact.ts";
import { formatReport } from "#bench/rehearse/report.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const key = fc.stringMatching(/^[A-Za-z0-9_.~+/=-]{6,60}$/);
const text = fc.string({ maxLength: 30 });

it("removes the value of every setting, wherever it stands", () => {
  fc.assert(
    fc.property(key, key, text, text, text, (soniox, mail, a, b, c) => {
      const settings = { SONIOX_API_KEY: soniox, MAIL_FROM: mail };
      const redacted = redact(`${a}${soniox}${b}${mail}${c}`, settings);
      // What is put in its place may contain it: a key such as "SONIOX" is none.
      const rest = redacted.replaceAll(/\[(?:SONIOX_API_KEY|MAIL_FROM|key|id|address)\]/g, "");
      const isPart = `${a} ${b} ${c}`.includes(soniox) || soniox.includes(mail);
      if (!isPart) expect(rest).not.toContain(soniox);
    }),
    { numRuns: countRuns(200) },
  );
});

it.each([
  ["a key in a header", "authorization: Bearer abc.def-123", "abc.def"],
  ["a key of Stripe", "Invalid API Key: sk_test_51Habcdefgh", "51Habcdefgh"],
  ["a key of OpenAI", "Incorrect API key provided: sk-proj-abcdefghij", "abcdefghij"],
  ["the id of a customer", "No such customer: 'cus_NffrFeUfNV2Hib'", "NffrFeUfNV2Hib"],
  ["an e-mail address", "from Ana <ana.b+x@mail.example.org> was refused", "ana.b"],
  ["the user and the query of an address", "wss://me:pass@host.org:9/v1?key=abcdef", "pass"],
  ["an id", "request 3d37a3bd-5078-47ee-a369-b204e3bbedda", "b204e3bbedda"],
])("removes %s", (_, given, secret) => {
  expect(redact(given, {})).not.toContain(secret);
});

it("keeps the name of a model, and a report readable", () => {
  const report = formatReport(
    [
      { service: "Soniox", skipped: "SONIOX_API_KEY is not set", exchanges: [], differences: [] },
      {
        service: "The language model",
        skipped: null,
        exchanges: [
          {
            name: "a wrong key",
            order: ["401"],
            shapes: {},
            facts: { "the adapter reads": "llm_failed | x" },
            times: { "all of it, ms": 5 },
          },
        ],
        differences: [
          {
            exchange: "a wrong key",
            kind: "other",
            subject: "401: error.code",
            standIn: '"invalid_api_key"',
            service: "null",
          },
          {
            exchange: "a wrong key",
            kind: "additional",
            subject: "401: error.help",
            standIn: "nothing",
            service: "string",
          },
        ],
      },
    ],
    { date: "2026-11-26", sound: "espeak-ng" },
  );
  expect(redact(report, { LLM_MODEL: "language", LLM_API_KEY: "abcdefgh" })).toBe(
    [
      "# Rehearsal of 2026-11-26",
      "",
      "Sound: espeak-ng.",
      "",
      "## Soniox",
      "",
      "Skipped: SONIOX_API_KEY is not set.",
      "",
      "## The language model",
      "",
      "1 difference between the service and its stand-in:",
      "",
      "| asked | what differs |  | stand-in | service |",
      "| --- | --- | --- | --- | --- |",
      '| a wrong key | other | 401: error.code | "invalid_api_key" | null |',
      "",
      "Fields that the stand-in leaves out: 401: error.help.",
      "",
      "| asked | answers | the adapter reads | times and counts |",
      "| --- | --- | --- | --- |",
      "| a wrong key | 401 | llm_failed \\| x | all of it, ms: 5 |",
      "",
    ].join("\n"),
  );
});
