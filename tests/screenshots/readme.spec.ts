import { signUp } from "#tests/e2e/support/journey.ts";
import { callProcedure, storeFolder } from "#tests/e2e/support/library.ts";
import { storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";

const spoken = [
  ["1", "Last week we ended with a puzzle.", "上周我们以一个谜题结束。"],
  [
    "1",
    "Every law of motion works just as well backwards, and yet nobody has ever seen an egg unbreak.",
    "每一条运动定律倒过来同样成立，可是从来没有人见过一个鸡蛋自己复原。",
  ],
  ["1", "The answer is not in the laws. It is in the counting.", "答案不在定律里，而在计数里。"],
  [
    "1",
    "There are very few ways for an egg to be whole, and very many ways for it to be broken.",
    "鸡蛋完整的方式极少，破碎的方式却极多。",
  ],
  ["2", "So is entropy just the number of ways?", "那么熵就是方式的数量吗？"],
  [
    "1",
    "Its logarithm, exactly. That is Boltzmann's formula, and it is carved on his gravestone in Vienna.",
    "准确地说是它的对数。这就是玻尔兹曼公式，刻在他维也纳的墓碑上。",
  ],
  [
    "1",
    "A system wanders among all its states, and there is simply more room where the entropy is high.",
    "系统在它的所有状态之间游走，而熵高的地方空间就是更大。",
  ],
  ["1", "That is the whole second law of thermodynamics.", "这就是热力学第二定律的全部。"],
] as const;

test("captures the README's picture", async ({ visit }) => {
  const page = await visit();
  await page.setViewportSize({ width: 1440, height: 900 });
  await signUp(page);
  const folderId = await storeFolder(page, "Physics 201");
  const titles = ["Temperature and heat", "The first law", "Entropy"];
  let lectureId = "";
  for (const title of titles) {
    const entries = spoken.map(([speaker, english, translated], index) => {
      const startMs = 754_000 + index * 7_000;
      return { speaker, english, translated, startMs, endMs: startMs + 6_000 };
    });
    lectureId = await storeLecture(page, entries, { title });
    await callProcedure(page, "lectures.move", { id: lectureId, folderId });
  }
  await callProcedure(page, "lectures.change", {
    id: lectureId,
    context: "Thermodynamics: entropy, Boltzmann, microstates",
    speakerNames: { "1": "Dr. Okafor", "2": "Student" },
    summary:
      "## Entropy counts ways\n\n- The laws of motion have no direction; **counting** gives time its arrow.\n- Entropy is the logarithm of the number of states (Boltzmann).\n- A system is found where most of its states are: the second law.",
  });
  await page.goto(`/record?lecture=${lectureId}`);
  await expect(page.locator("[data-row]").last()).toBeVisible();
  await expect(page.locator("[role=treeitem][aria-current]")).toBeVisible();
  await page.screenshot({ path: "docs/images/recording.png" });
});
