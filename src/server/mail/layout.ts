import mails from "./mails.json" with { type: "json" };

export type MailType = keyof typeof mails;

/** `body`: one paragraph, which repeats the address, so that a mistyped one is noticed. `action`: the button's label. */
type MailText = (typeof mails)[MailType]["en"];

const colours = {
  background: "#f4f1ea",
  surface: "#fdfcf9",
  text: "#2a2622",
  muted: "#6b645c",
  border: "#e4dfd5",
};

/** The product's logo without an image, because mail programs do not load images by themselves. */
const logo = {
  seal: "#d03a24",
  lines: `<table role="presentation" align="center" cellpadding="0" cellspacing="0" style="font-size:0;line-height:0">${Array(
    3,
  )
    .fill(
      '<tr><td width="10" height="3" style="background:#fffaf6;border-radius:2px"></td><td width="2"></td><td width="8" style="background:#edb1a6;border-radius:2px"></td></tr>',
    )
    .join('<tr><td height="5"></td></tr>')}</table>`,
};
const fontFamily =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", "PingFang SC", "Noto Sans SC", "Microsoft YaHei", sans-serif'.replaceAll(
    '"',
    "&#39;",
  );

/**
 * Creates a mail in both languages, as HTML and as plain text. All values are escaped. It uses tables and
 * inline styles, because mail programs support little else.
 */
export function composeMail(
  type: MailType,
  { email, link, from = "" }: { email: string; link: string; from?: string },
) {
  const insertAddress = (text: MailText) => ({
    ...text,
    body: text.body.replace("{email}", () => email).replace("{from}", () => from),
  });
  const [en, zh] = [insertAddress(mails[type].en), insertAddress(mails[type].zh)];
  const subject = `${en.title} · ${zh.title}`;
  const rule = `<tr><td style="padding:0 40px"><div style="border-top:1px solid ${colours.border};font-size:0;line-height:0">&nbsp;</div></td></tr>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:${colours.background};color:${colours.text};font-family:${fontFamily}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${colours.background}">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:${colours.surface};border:1px solid ${colours.border};border-radius:16px">
<tr><td style="padding:32px 40px 8px">
<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td width="36" height="36" style="background:${logo.seal};border-radius:9px">${logo.lines}</td>
<td style="padding-left:12px;font-size:17px;font-weight:600">Dualect <span lang="zh-Hans" style="color:${colours.muted};font-weight:400">课译</span></td>
</tr></table>
</td></tr>
${renderSection(en, "en", link)}
${rule}
${renderSection(zh, "zh-Hans", link)}
${rule}
<tr><td style="padding:20px 40px 32px;font-size:13px;line-height:1.6;color:${colours.muted}">
<a href="${escapeHtml(link)}" target="_blank" rel="noopener" style="color:${colours.muted};word-break:break-all">${escapeHtml(link)}</a>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
  const text = `Dualect 课译

${renderPlainText(en, link)}

----

${renderPlainText(zh, link)}
`;
  return { subject, html, text };
}

function renderSection(
  { title, body, action, note }: MailText,
  lang: string,
  link: string,
): string {
  return `<tr><td lang="${lang}" style="padding:20px 40px 28px">
<h1 style="margin:0 0 10px;font-size:21px;line-height:1.35;font-weight:600">${escapeHtml(title)}</h1>
<p style="margin:0 0 20px;font-size:16px;line-height:1.65">${escapeHtml(body)}</p>
<a href="${escapeHtml(link)}" target="_blank" rel="noopener" style="display:inline-block;padding:12px 22px;background:${colours.text};border-radius:10px;color:#ffffff;font-size:16px;line-height:1.25;font-weight:600;text-decoration:none">${escapeHtml(action)}</a>
<p style="margin:18px 0 0;font-size:14px;line-height:1.6;color:${colours.muted}">${escapeHtml(note)}</p>
</td></tr>`;
}

const renderPlainText = ({ title, body, action, note }: MailText, link: string) =>
  `${title}\n\n${body}\n\n${action}:\n${link}\n\n${note}`;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
