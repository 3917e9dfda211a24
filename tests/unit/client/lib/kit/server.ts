import { vi } from "vitest";

type Answer = () => unknown;

/**
 * Answers the calls of the tRPC client in place of the server: a procedure's answer is what its
 * function returns, or a promise of it; one that throws is a server that cannot be reached.
 *
 * `asked`: the procedures that were called, in order.
 */
export function fakeServer(answers: Record<string, Answer>): { asked: string[] } {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const procedures = new URL(address, "https://dualect.example").pathname
      .slice("/trpc/".length)
      .split(",");
    asked.push(...procedures);
    const results = procedures.map(async (procedure) => {
      const answer = answers[procedure];
      if (!answer) throw new Error(`No answer to ${procedure}`);
      return { result: { data: await answer() } };
    });
    return Response.json(await Promise.all(results));
  });
  return { asked };
}
