import { expect, test } from "vitest";
import { asset } from "../../../src/worker/routes/assets.ts";

const kept = "public, max-age=31536000, immutable";

/** Static files of which one is there; the document stands in for all others, with the headers of their path. */
const files = {
  fetch: async (request: Request) =>
    new URL(request.url).pathname === "/assets/base-1.js"
      ? new Response("1", { headers: { "content-type": "text/javascript", "cache-control": kept } })
      : new Response("<p>", { headers: { "content-type": "text/html", "cache-control": kept } }),
};

const ask = (path: string) =>
  asset(new Request(`https://dualect.test${path}`), files as unknown as Fetcher);

test("a file of the program is answered as it is, to be kept", async () => {
  const answer = await ask("/assets/base-1.js");
  expect(await answer.text()).toBe("1");
  expect(answer.headers.get("cache-control")).toBe(kept);
});

test("a file of another version is missing, and that is not kept", async () => {
  const answer = await ask("/assets/base-0.js");
  expect(answer.status).toBe(404);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});
