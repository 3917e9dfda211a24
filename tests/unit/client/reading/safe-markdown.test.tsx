// @vitest-environment happy-dom
import { expect, it } from "vitest";
import SafeMarkdown from "#client/reading/safe-markdown.tsx";
import { show as render } from "#tests/unit/client/kit/page.tsx";
import { waitUntil } from "#tests/unit/client/kit/wait-for.ts";

const show = (text: string) => render(<SafeMarkdown text={text} />);

it("renders headings, lists and links, and no raw HTML", async () => {
  await show("# Light\n\n- **bends**\n\n<script>x</script> <b>raw</b> ![p](https://x.example/p)");
  expect(document.body.querySelector("h3")?.textContent).toBe("Light");
  expect(document.body.querySelector("li strong")?.textContent).toBe("bends");
  expect(document.body.querySelector("script, b, img")).toBeNull();
});

it("renders tables, with links and bold text in their cells, between the texts around them", async () => {
  await show(
    "Before\n\n| Term | Said |\n|:--|--:|\n| **Heat** | a \\| b |\n| Work |\n\nAfter `|x|`",
  );
  const cells = [...document.body.querySelectorAll("th, td")].map((cell) => cell.textContent);
  expect(cells).toEqual(["Term", "Said", "Heat", "a | b", "Work", ""]);
  expect(document.body.querySelector("td strong")?.textContent).toBe("Heat");
  expect([...document.body.querySelectorAll("p")].map((one) => one.textContent)).toEqual([
    "Before",
    "After |x|",
  ]);
});

it("leaves a table in a block of code as it is", async () => {
  await show("```\na | b\n--|--\n```");
  expect(document.body.querySelector("table")).toBeNull();
  expect(document.body.querySelector("pre")?.textContent).toBe("a | b\n--|--\n");
});

it("renders links only for absolute addresses", async () => {
  await show("[a](https://a.example) [b](http://b.example) [c](mailto:c@c.example)");
  const links = [...document.body.querySelectorAll("a")];
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "https://a.example",
    "http://b.example",
    "mailto:c@c.example",
  ]);
  for (const link of links) {
    expect(link.rel).toBe("noopener noreferrer nofollow");
    expect(link.target).toBe("_blank");
  }
  const others = [
    "/profile",
    "profile",
    "//x.example",
    "#top",
    "?lecture=1",
    "javascript:alert(1)",
  ];
  for (const target of [...others, "data:text/html,x", "tel:1", "https:/profile"]) {
    await show(`[go **on**](${target}) ![p](${target})`);
    expect(document.body.querySelector("a, img")).toBeNull();
    expect(document.body.textContent?.trim()).toBe("go on");
  }
});

it.each([
  ["quotations", ">".repeat(50_000)],
  ["lists", "- ".repeat(25_000)],
  ["numbers", "1. ".repeat(15_000)],
  ["emphases", "*".repeat(50_000)],
])("%s in one another cost little and end nothing", async (_, marks) => {
  await show(`${marks} end${marks.trim()}`);
  expect(document.body.textContent).toContain("end");
});

it.each([
  ["emphases", "**b** *a_ ".repeat(1_000)],
  ["backticks", `\`x\` ${"\\\\``a ".repeat(1_600)}`],
  ["links", `${"[a][b]".repeat(1_600)}\n\n[b]: c`],
  ["quotations", "> a\nb\n".repeat(3_100)],
])("what has more %s than anybody writes is shown as it was written", async (_, written) => {
  await show(written);
  expect(document.body.textContent).toBe(written);
  expect(document.body.querySelector("em, strong, code, a, blockquote")).toBeNull();
});

it("renders a summary of several pages with bold terms in every point", async () => {
  await show("- **Light** bends, and **glass** bends it *more*.\n".repeat(300));
  expect(document.body.querySelectorAll("li")).toHaveLength(300);
  expect(document.body.querySelectorAll("strong")).toHaveLength(600);
});

it("renders a page full of code names", async () => {
  await show("- `useState` holds `count`.\n".repeat(300));
  expect(document.body.querySelectorAll("code")).toHaveLength(600);
});

/** Waits until `count` formulas are typeset, and leaves what they are written as; returns what they show. */
async function takeFormulas(count: number): Promise<(string | null)[]> {
  const list = () => [...document.body.querySelectorAll("[data-math]")];
  await waitUntil(() => list().length === count);
  const shown = list().map(({ textContent }) => textContent);
  for (const math of list()) math.remove();
  return shown;
}

it("shows formulas typeset, of what they are written as, and prices and code as before", async () => {
  await show(
    "Energy \\(E = mc^2\\), prices $5 and $6, `\\(code\\)`\n\nSum \\[\\sum_{i=1}^{n} x_i\\] and $a_1*b_1*c$ **so**",
  );
  expect(await takeFormulas(3)).toEqual(["E=mc2", "∑i=1nxi", "a1∗b1∗c"]);
  const paragraphs = [...document.body.querySelectorAll("p")].map(({ textContent }) => textContent);
  expect(paragraphs).toEqual([
    "Energy \\(E = mc^2\\), prices $5 and $6, \\(code\\)",
    "Sum \\[\\sum_{i=1}^{n} x_i\\] and $a_1*b_1*c$ so",
  ]);
  expect(document.body.querySelector("code")?.textContent).toBe("\\(code\\)");
  expect(document.body.querySelector("em")).toBeNull();
  expect(document.body.querySelector("strong")?.textContent).toBe("so");
});

it("shows formulas of several lines, in lists and with marks of all kinds", async () => {
  const formula = "$$\n\\begin{aligned} a &= b_1 \\\\ &< c*d*e \\end{aligned}\n$$";
  await show(`- first\n\n  ${formula}\n\n- 由 $x_{1}*y_{1}*z$ 得 <b>raw</b>`);
  await takeFormulas(2);
  expect(document.body.textContent?.replaceAll(/\s+/g, " ").trim()).toBe(
    `first ${formula.replaceAll(/\s+/g, " ")} 由 $x_{1}*y_{1}*z$ 得 raw`,
  );
});
