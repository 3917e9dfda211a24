import type { StoredEmail } from "./outbox.ts";

/** What the pages of the outbox may do: show a mail in a frame, and run nothing. */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'";

const style = `
  :root { color-scheme: light dark; --paper: oklch(0.985 0.004 85); --ink: oklch(0.25 0.01 60); --quiet: oklch(0.5 0.01 60); --line: oklch(0.9 0.006 80); --seal: oklch(0.53 0.19 31); }
  @media (prefers-color-scheme: dark) { :root { --paper: oklch(0.19 0.006 60); --ink: oklch(0.92 0.005 80); --quiet: oklch(0.7 0.01 70); --line: oklch(0.32 0.008 60); --seal: oklch(0.7 0.17 31); } }
  body { margin: 0 auto; max-width: 44rem; padding: 2.5rem 1.25rem; background: var(--paper); color: var(--ink); font: 16px/1.6 ui-sans-serif, system-ui, "PingFang SC", "Noto Sans SC", "Microsoft YaHei", sans-serif; }
  h1 { font-size: 1.45rem; margin: 0 0 .25rem; }
  p { margin: .25rem 0 1.5rem; color: var(--quiet); }
  a { color: var(--seal); }
  ol { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
  li a { display: block; padding: .9rem 0; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none; }
  li a:hover strong, li a:focus-visible strong { color: var(--seal); }
  small { display: block; color: var(--quiet); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  iframe { width: 100%; height: 44rem; border: 1px solid var(--line); background: white; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); padding: 1rem; font: inherit; }`;

const notice =
  "This is the embedded outbox: it stands in for the e-mail service, and nothing here was sent. " +
  '<span lang="zh-Hans">这是内置发件箱，代替邮件服务；这里的邮件并未真正寄出。</span>';

/** All mails, newest first. */
export function listPage(emails: readonly StoredEmail[], prefix: string): string {
  const rows = emails.map(
    ({ id, subject, to, createdAt }) =>
      `<li><a href="${prefix}${id}"><strong>${escapeHtml(subject)}</strong><small>${escapeHtml(to.join(", "))} · <time>${createdAt}</time></small></a></li>`,
  );
  const list = rows.length > 0 ? `<ol>${rows.join("")}</ol>` : "<p>No mail yet. 还没有邮件。</p>";
  return page("Outbox · 发件箱", `<h1>Outbox · 发件箱</h1><p>${notice}</p>${list}`);
}

/** One mail: as it is read, and as its text. */
export function emailPage(email: StoredEmail, prefix: string): string {
  const { id, subject, from, to, createdAt, text } = email;
  return page(
    subject,
    `<p><a href="${prefix}">Outbox · 发件箱</a></p>
     <h1>${escapeHtml(subject)}</h1>
     <small>${escapeHtml(from)} → ${escapeHtml(to.join(", "))} · <time>${createdAt}</time></small>
     <p>${notice}</p>
     <iframe title="HTML" src="${prefix}${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"></iframe>
     <h2>Text · 纯文本</h2><pre>${linked(text)}</pre>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>`;
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? "");

/** The text escaped, its web addresses made into links. */
const linked = (text: string) =>
  escapeHtml(text).replace(
    /https?:\/\/[^\s<]+/g,
    (address) => `<a href="${address}">${address}</a>`,
  );
