import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

interface Scope {
  /** The part of the page, as a selector. */
  within?: string;
}

/** What of `page` keeps somebody out, as axe finds it. */
export async function findBarriers(page: Page, { within }: Scope = {}): Promise<unknown[]> {
  // Our pages have no frames: axe need not be loaded into a second page.
  const builder = new AxeBuilder({ page }).setLegacyMode();
  builder.options({ resultTypes: ["violations"] });
  // A toast that goes is fading.
  builder.exclude("[data-ending-style]");
  if (within) builder.include(within);
  const { violations } = await builder.analyze();
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical");
}
