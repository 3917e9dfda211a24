import { smallestModel } from "#tests/e2e/support/model-hub.ts";
import { listFiles } from "#tests/fixtures/model-server.ts";
import type { BrowserPage } from "./page.ts";

/** Has the page that is open get the files of the smallest model, without the public hub. */
export function installModelFiles(
  page: BrowserPage,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const { repository, revision } = smallestModel;
  const list = Buffer.from(JSON.stringify(listFiles(Object.fromEntries(files))));
  const answers = new Map<string, Uint8Array>([
    [`/api/models/${repository}/tree/${revision}`, list],
  ]);
  for (const [path, data] of files) answers.set(`/${repository}/resolve/${revision}/${path}`, data);
  const encoded = [...answers].map(([path, data]) => [path, Buffer.from(data).toString("base64")]);
  return page.call(replaceHub, Object.fromEntries(encoded) as Record<string, string>);
}

/** Runs in the page. `answers`: in base64, by the path of their address. */
function replaceHub(answers: Record<string, string>): void {
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const { hostname, pathname } = new URL(
      input instanceof Request ? input.url : input,
      location.href,
    );
    const answer = hostname === "huggingface.co" ? answers[pathname] : undefined;
    if (answer === undefined) return send(input, init);
    return new Response(Uint8Array.from(atob(answer), (character) => character.charCodeAt(0)));
  };
}
