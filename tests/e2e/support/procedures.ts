import { expect, type Page, type Route } from "@playwright/test";

/** Matches requests with a call of `procedure`, also in a batch. */
export const matchCalls = (procedure: string) =>
  new RegExp(`/trpc/[^?]*\\b${procedure.replace(".", "\\.")}\\b`);

/** Holds calls of `procedure` until `release`. */
export async function holdCalls(page: Page, procedure: string) {
  const held: Route[] = [];
  await page.route(matchCalls(procedure), (route) => void held.push(route));
  return {
    waitForCall: () => expect.poll(() => held.length).toBeGreaterThan(0),
    async release() {
      for (const route of held) await route.continue();
      await page.unroute(matchCalls(procedure));
    },
  };
}

/** Replaces the server's response to `procedure` by `answer`. */
export const replaceResponse = (page: Page, procedure: string, answer: object) =>
  page.route(matchCalls(procedure), async (route) => {
    const { pathname } = new URL(route.request().url());
    const at = pathname.slice("/trpc/".length).split(",").indexOf(procedure);
    // The server may close an idle connection in the moment in which it is used again.
    const response = await route.fetch({ maxRetries: 1 });
    const answers: object[] = await response.json();
    await route.fulfill({ response, json: answers.with(at, answer) });
  });
