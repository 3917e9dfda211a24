import { describe, expect, test } from "vitest";
import { confirmationMail, recoveryMail } from "#server/mail/templates.ts";

const link = "https://dualect.test/email-confirmation?token_hash=abc&type=signup";

describe.each([
  ["confirmation", confirmationMail, "24 hours", "24 小时"],
  ["recovery", recoveryMail, "one hour", "一小时"],
] as const)("the %s mail", (_, compose, english, chinese) => {
  const { subject, html, text } = compose({ email: "reader@example.org", link });

  test("says the same in both languages, as HTML and as text", () => {
    for (const version of [html, text]) {
      expect(version).toContain(english);
      expect(version).toContain(chinese);
      expect(version.match(/reader@example\.org/g)).toHaveLength(2);
    }
    expect(subject).toMatch(/[a-z] · \p{Script=Han}/u);
    expect(html).toContain('lang="en"');
    expect(html).toContain('lang="zh-Hans"');
  });

  test("carries the link in full, and no other address", () => {
    const inHtml = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(inHtml).toEqual(Array(3).fill(link.replace("&", "&amp;")));
    expect(text.match(/https?:\S+/g)).toEqual([link, link]);
    expect(html).not.toMatch(/src=|url\(|<script|<link|@import/);
  });

  test("is text all through, whatever the address holds", () => {
    const odd = `"<img src=x onerror=alert(1)>&"@example.org`;
    const { html: escaped } = compose({ email: odd, link });
    expect(escaped).not.toContain("<img");
    expect(escaped).toContain("&lt;img src=x onerror=alert(1)&gt;&amp;&quot;@example.org");
  });
});
