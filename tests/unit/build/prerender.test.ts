import { beforeEach, expect, it, vi } from "vitest";
import { prerender } from "#build/prerender.ts";

const build = vi.hoisted(() => vi.fn());
vi.mock("vite", () => ({ build }));
vi.mock("@vitejs/plugin-react", () => ({ default: () => [] }));

/** The markup that the process prints for a document. */
let printed: Record<string, string> = {};
const execFile = vi.hoisted(() => vi.fn());
vi.mock("node:child_process", () => ({ execFile }));

beforeEach(() => {
  build.mockReset();
  execFile.mockReset();
  execFile.mockImplementation((_program, _args, _options, done) =>
    done(null, { stdout: JSON.stringify(printed) }),
  );
});

const html = '<body><div id="root"></div><p>after</p></body>';

function createTransform() {
  const { transformIndexHtml } = prerender({});
  if (typeof transformIndexHtml !== "object") throw new Error("The plugin changes no document");
  const { handler } = transformIndexHtml as {
    handler(html: string, document: { path: string }): Promise<string>;
  };
  return (path: string) => handler(html, { path });
}

it("writes each page's markup as a template after the root, as it is, by name", async () => {
  printed = { "auth-zh": "<p>你好</p>", "auth-en": "<p>$& costs $1</p>" };
  expect(await createTransform()("/index.html")).toBe(
    '<body><div id="root"></div><template id="first-auth-en"><p>$& costs $1</p></template>' +
      '<template id="first-auth-zh"><p>你好</p></template><p>after</p></body>',
  );
});

it("bundles the pages once, and renders each document's own", async () => {
  const transform = createTransform();
  await Promise.all([transform("/index.html"), transform("/live.html")]);
  expect(build).toHaveBeenCalledOnce();
  expect(execFile.mock.calls.map(([, args]) => args.at(-1))).toEqual(["application", "live"]);
});

it("fails with the page that cannot be rendered", async () => {
  execFile.mockImplementation((_program, _args, _options, done) => done(new Error("no <main>")));
  await expect(createTransform()("/index.html")).rejects.toThrow("no <main>");
});
