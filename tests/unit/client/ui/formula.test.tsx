// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { TextWithFormulas } from "#client/ui/formula.tsx";
import { show } from "#tests/unit/client/kit/page.tsx";
import { waitUntil } from "#tests/unit/client/kit/wait-for.ts";

const countMath = () => document.body.querySelectorAll("math").length;

it("typesets formulas, and keeps what they are written as for those who find, copy or listen", async () => {
  const text = "Energy \\(E = mc^2\\), prices $5 and $6, `\\(code\\)`";
  await show(<TextWithFormulas text={text} />);
  await waitUntil(() => countMath() === 1);
  const math = document.body.querySelector("math");
  expect(math?.textContent).toBe("E=mc2");
  expect(math?.namespaceURI).toBe("http://www.w3.org/1998/Math/MathML");
  expect(math?.parentElement?.getAttribute("aria-hidden")).toBe("true");
  math?.remove();
  expect(document.body.textContent).toBe(text);
});

it("shows two formulas, none of whose characters is lost", async () => {
  await show(<TextWithFormulas text={"Sum \\[\\sum_{i=1}^{n} x_i\\] and $a_1*b_1*c$"} />);
  await waitUntil(() => countMath() === 2);
  const [sum, product] = document.body.querySelectorAll("math");
  expect(sum?.getAttribute("display")).toBe("block");
  expect(sum?.textContent).toBe("∑i=1nxi");
  expect(product?.textContent).toBe("a1∗b1∗c");
});

it("shows what is no LaTeX as it is written, beside what is", async () => {
  const text = "$\\nosuch{x}$ and \\(\\frac{a\\) and $x_1$ <b>raw</b>";
  await show(<TextWithFormulas text={text} />);
  await waitUntil(() => countMath() === 1);
  document.body.querySelector("math")?.remove();
  expect(document.body.textContent).toBe(text);
  expect(document.body.querySelector("b")).toBeNull();
});
