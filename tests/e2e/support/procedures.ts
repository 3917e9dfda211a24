import { expect, type Page, type Route } from "@playwright/test";

/** Requests that carry a call of `procedure`: several calls may go in one. */
export const matchCalls = (procedure: string) =>
  new RegExp(`/trpc/[^?]*\\b${procedure.replace(".", "\\.")}\\b`);

/** Holds back calls of `procedure` until let go. */
export async function holdCalls(page: Page, procedure: string) {
  const held: Route[] = [];
  await page.route(matchCalls(procedure), (route) => void held.push(route));
  return {
    reached: () => expect.poll(() => held.length).toBeGreaterThan(0),
    async letGo() {
      for (const route of held) await route.continue();
      await page.unroute(matchCalls(procedure));
    },
  };
}

/** Puts `answer` in place of the server's to `procedure`. */
export const replaceResponse = (page: Page, procedure: string, answer: object) =>
  page.route(matchCalls(procedure), async (route) => {
    const { pathname } = new URL(route.request().url());
    const at = pathname.slice("/trpc/".length).split(",").indexOf(procedure);
    const response = await route.fetch();
    const answers: object[] = await response.json();
    await route.fulfill({ response, json: answers.with(at, answer) });
  });
