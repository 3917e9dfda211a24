import { signUp } from "./support/journey.ts";
import { openPart } from "./support/lecture-parts.ts";
import { callProcedure } from "./support/library.ts";
import { measureSidewaysScroll } from "./support/look.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const energy = "Energy \\(E = mc^2\\), prices $5 and $6, `\\(code\\)`";
const sum = "Sum \\[\\sum_{i=1}^{n} x_i\\] and $a_1*b_1*c$";
const long = `So $${Array.from({ length: 30 }, (_, at) => `x_{${at}}`).join("")}$ holds.`;

test("shows formulas typeset, and copies, finds and prints them as they are written", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const id = await storeLecture(
    page,
    [energy, sum, "No formula for $5.", long].map((original, at) => ({
      original,
      translated: at === 0 ? "能量 $E = mc^2$。" : "没有。",
      startMs: at * 5_000,
      endMs: at * 5_000 + 900,
    })),
    { title: "Formulas" },
  );
  await callProcedure(page, "lectures.change", { id, summary: `${energy}\n\n- ${sum}` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/record?lecture=${id}`);
  const rows = page.locator("[data-row]");
  const [first, second, third] = [rows.nth(0), rows.nth(1), rows.nth(2)];

  await test.step("in rows, of which the others stay as they are", async () => {
    await expect(first.locator("p").first().locator("math")).toHaveText("E=mc2");
    await expect(first.locator("p").last().locator("math")).toHaveCount(1);
    await expect(second.locator("math")).toHaveCount(2);
    await expect(third.locator("math")).toHaveCount(0);
    await expect(rows.nth(3).locator("math")).toBeVisible();
    await expect.poll(() => measureSidewaysScroll(page)).toBe(0);
  });

  await test.step("as text for those who select and listen", async () => {
    const paragraph = first.locator("p").first();
    const selected = await paragraph.evaluate((element) => {
      const selection = window.getSelection();
      selection?.selectAllChildren(element);
      return selection?.toString();
    });
    // Chromium copies a line break behind MathML.
    expect(selected?.replaceAll("\n", "")).toBe(energy);
    await expect(paragraph).toMatchAriaSnapshot(`- paragraph: /E = mc\\^2/`);
  });

  await test.step("found by what they are written as", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await rows.first().focus();
    await page.keyboard.press("Control+f");
    await page.getByRole("textbox", { name: "Find in lecture" }).fill("mc^2");
    await expect(page.locator("[data-find] [role=status]")).toHaveText("1 of 2");
    await page.keyboard.press("Escape");
  });

  await test.step("in the summary", async () => {
    const summary = await openPart(page, "Summary");
    await expect(summary.locator("math")).toHaveCount(3);
    await expect(summary).toContainText("prices $5 and $6, \\(code\\)");
  });

  await test.step("in print, once they are there", async () => {
    await page.addInitScript(() => {
      window.print = () => {
        document.documentElement.dataset.math = String(document.querySelectorAll("math").length);
      };
    });
    await page.goto(`/print?lecture=${id}`);
    await expect(page.locator("html")).toHaveAttribute("data-math", "8");
  });
});
