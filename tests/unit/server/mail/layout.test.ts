import { describe, expect, test } from "vitest";
import { composeMail } from "#server/mail/layout.ts";

const link = "https://dualect.test/email-confirmation?token_hash=abc&type=signup";

describe.each([
  ["signup", "24 hours", "24 小时"],
  ["recovery", "one hour", "一小时"],
] as const)("the %s mail", (type, original, chinese) => {
  const { subject, html, text } = composeMail(type, { email: "reader@example.org", link });

  test("has the same content in both languages, as HTML and as text", () => {
    for (const version of [html, text]) {
      expect(version).toContain(original);
      expect(version).toContain(chinese);
      expect(version.match(/reader@example\.org/g)).toHaveLength(2);
    }
    expect(subject).toMatch(/[a-z] · \p{Script=Han}/u);
    expect(html).toContain('lang="en"');
    expect(html).toContain('lang="zh-Hans"');
  });

  test("contains the full link and no other address", () => {
    const inHtml = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(inHtml).toEqual(Array(3).fill(link.replace("&", "&amp;")));
    expect(text.match(/https?:\S+/g)).toEqual([link, link]);
    expect(html).not.toMatch(/src=|url\(|<script|<link|@import/);
  });

  test("escapes the e-mail address", () => {
    const odd = `"<img src=x onerror=alert(1)>&"@example.org`;
    const { html: escaped } = composeMail(type, { email: odd, link });
    expect(escaped).not.toContain("<img");
    expect(escaped).toContain("&lt;img src=x onerror=alert(1)&gt;&amp;&quot;@example.org");
  });
});
