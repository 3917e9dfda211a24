import {
  ReadableStream,
  TextDecoderStream,
  TransformStream,
  WritableStream,
} from "node:stream/web";
import { onTestFinished, vi } from "vitest";
import { type ErrorCode, getHttpStatus } from "#shared/errors.ts";

// tRPC reads streams with these. Those of happy-dom do not fit to each other, and it lacks the second.
Object.assign(globalThis, { ReadableStream, TextDecoderStream, TransformStream, WritableStream });

type Answer = (input: never) => unknown;

/** What a procedure answers that refuses the call. */
export class Refusal {
  constructor(
    readonly code: ErrorCode,
    readonly retryAfterSeconds?: number,
  ) {}
}

/**
 * Answers the calls of the tRPC client in place of the server: a procedure's answer is what its
 * function returns for the input, or a promise of it; one that throws is a server that cannot be reached.
 *
 * It ends with the test.
 *
 * `calls`: the names of the called procedures, in order; `sent`: the bodies of those that change something.
 */
export function fakeServer(answers: Record<string, Answer>): { calls: string[]; sent: unknown[] } {
  const calls: string[] = [];
  const sent: unknown[] = [];
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    if (typeof init?.body === "string") sent.push(JSON.parse(init.body));
    const { pathname, searchParams } = new URL(address, "https://dualect.example");
    const procedures = pathname.slice("/trpc/".length).split(",");
    calls.push(...procedures);
    const inputs = JSON.parse(String(init?.body ?? searchParams.get("input") ?? "{}"));
    const results = procedures.map(async (procedure, index) => {
      const answer = answers[procedure];
      if (!answer) throw new Error(`No answer to ${procedure}`);
      const given = await answer(inputs[index] as never);
      if (given instanceof Refusal) {
        const { code, retryAfterSeconds } = given;
        const data = { appCode: code, httpStatus: getHttpStatus(code), retryAfterSeconds };
        return { error: { message: code, code: -32_600, data } };
      }
      return { result: { data: given } };
    });
    return new Headers(init?.headers).get("trpc-accept") === "application/jsonl"
      ? streamResults(await Promise.all(results))
      : Response.json(await Promise.all(results));
  });
  return { calls, sent };
}

/** An answer in tRPC's JSON lines, as the server gives it to procedures that are called as streams. */
export function streamResults(results: readonly unknown[]): Response {
  // By index, each result in the envelope of a value that contains no promise.
  const head = Object.fromEntries(results.map((result, index) => [index, [[result]]]));
  return new Response(`${JSON.stringify(head)}\n`);
}
