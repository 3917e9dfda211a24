import { signUp } from "#tests/e2e/support/journey.ts";
import { callProcedure, storeFolder } from "#tests/e2e/support/library.ts";
import { storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { entropy } from "./sentences.ts";

test("captures the README's picture", async ({ visit }) => {
  const page = await visit();
  await page.setViewportSize({ width: 1440, height: 900 });
  await signUp(page);
  const folderId = await storeFolder(page, "Physics 201");
  const titles = ["Temperature and heat", "The first law", "Entropy"];
  let lectureId = "";
  for (const title of titles) {
    lectureId = await storeLecture(page, entropy.slice(0, 8), { title });
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
  await expect(page.getByRole("tabpanel", { name: "Summary" })).toContainText("counting");
  await expect(page.getByRole("button", { name: "More actions", exact: true })).toBeVisible();
  await page.screenshot({ path: "docs/images/recording.png" });
});
