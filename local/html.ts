import type { ServerResponse } from "node:http";

const style = `
  :root { color-scheme: light dark; --paper: oklch(0.985 0.004 85); --card: oklch(1 0 0); --ink: oklch(0.25 0.01 60); --quiet: oklch(0.48 0.01 60); --line: oklch(0.88 0.006 80); --seal: oklch(0.53 0.19 31); --on-seal: oklch(0.99 0.004 85); }
  @media (prefers-color-scheme: dark) { :root { --paper: oklch(0.19 0.006 60); --card: oklch(0.225 0.006 60); --ink: oklch(0.92 0.005 80); --quiet: oklch(0.72 0.01 70); --line: oklch(0.34 0.008 60); --seal: oklch(0.7 0.17 31); --on-seal: oklch(0.16 0.01 40); } }
  * { box-sizing: border-box; }
  body { margin: 0; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink); font: 16px/1.6 ui-sans-serif, system-ui, "PingFang SC", "Noto Sans SC", "Microsoft YaHei", sans-serif; }
  main { margin: 0 auto; max-width: 36rem; display: grid; gap: 1.25rem; }
  main.wide { max-width: 44rem; }
  h1 { font-size: 1.45rem; line-height: 1.25; margin: .5rem 0 0; }
  h2 { font-size: 1.05rem; margin: 0; }
  p, pre, ul { margin: 0; padding: 0; }
  a { color: var(--seal); }
  small { display: block; }
  .notice { border-inline-start: 3px solid var(--seal); padding: .25rem .9rem; }
  .notice, .quiet { color: var(--quiet); overflow-wrap: anywhere; }
  .price { font-size: 1.7rem; font-variant-numeric: tabular-nums; }
  .alert { color: var(--seal); font-weight: 600; }
  section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1.1rem 1.2rem; display: grid; gap: .75rem; }
  form { display: grid; gap: .6rem; }
  button, .button { display: block; width: 100%; min-height: 44px; padding: .6rem 1rem; border-radius: .45rem; border: 1px solid var(--line); background: transparent; color: inherit; font: inherit; text-align: center; text-decoration: none; cursor: pointer; }
  button:hover, .button:hover { border-color: var(--quiet); }
  .primary { background: var(--seal); border-color: var(--seal); color: var(--on-seal); font-weight: 600; }
  :focus-visible { outline: 2px solid var(--seal); outline-offset: 2px; }
  ul { list-style: none; font-variant-numeric: tabular-nums; }
  li { display: grid; grid-template-columns: 1fr auto 6rem; gap: .75rem; align-items: center; padding: .6rem 0; border-top: 1px solid var(--line); }
  li > :last-child { text-align: end; }
  li > a { grid-column: 1 / -1; text-align: start !important; color: inherit; text-decoration: none; }
  li button { padding: .25rem .5rem; white-space: nowrap; }
  iframe { width: 100%; height: 44rem; border: 1px solid var(--line); background: white; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }`;

interface Page {
  lang: "en" | "zh-Hans";
  title: string;
  /** HTML; the caller has escaped it. */
  body: string;
}

/** A complete HTML document in the common style of the embedded stack's pages. */
export const toHtml = ({ lang, title, body }: Page): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>`;

/** @param policy additional directives of the content security policy. */
export function sendHtml(
  response: ServerResponse,
  status: number,
  html: string,
  policy: string,
): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; ${policy}`,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
  response.end(html);
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
