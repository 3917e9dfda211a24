import { escapeHtml, toHtml } from "#local/html.ts";
import type { StoredEmail } from "./outbox.ts";

/** Allows the outbox's pages to show a mail in a frame. */
export const pagePolicy = "frame-src 'self'; form-action 'none'";

const notice =
  '<p class="notice">This is the embedded outbox: it stands in for the e-mail service, and nothing here was sent. ' +
  '<span lang="zh-Hans">这是内置发件箱，代替邮件服务；这里的邮件并未真正寄出。</span></p>';

/** All mails, newest first. */
export function toListPage(emails: readonly StoredEmail[], prefix: string): string {
  const rows = emails.map(
    ({ id, subject, to, createdAt }) =>
      `<li><a href="${prefix}${id}"><strong>${escapeHtml(subject)}</strong><small class="quiet">${escapeHtml(to.join(", "))} · <time>${createdAt}</time></small></a></li>`,
  );
  const list =
    rows.length > 0 ? `<ul>${rows.join("")}</ul>` : "<section>No mail yet. 还没有邮件。</section>";
  return toPage("Outbox · 发件箱", `<h1>Outbox · 发件箱</h1>${notice}${list}`);
}

/** One mail as HTML and as plain text. */
export function toEmailPage(email: StoredEmail, prefix: string): string {
  const { id, subject, from, to, createdAt, text } = email;
  return toPage(
    subject,
    `<p><a href="${prefix}">Outbox · 发件箱</a></p>
     <h1>${escapeHtml(subject)}</h1>
     <small class="quiet">${escapeHtml(from)} → ${escapeHtml(to.join(", "))} · <time>${createdAt}</time></small>
     ${notice}
     <iframe title="HTML" src="${prefix}${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"></iframe>
     <section><h2>Text · 纯文本</h2><pre>${toLinks(text)}</pre></section>`,
  );
}

const toPage = (title: string, body: string) =>
  toHtml({ lang: "en", title, body: `<main class="wide">${body}</main>` });

/** Escapes the text and turns web addresses into links. */
const toLinks = (text: string) =>
  escapeHtml(text).replace(
    /https?:\/\/[^\s<]+/g,
    (address) => `<a href="${address}">${address}</a>`,
  );
