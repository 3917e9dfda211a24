import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

interface Scope {
  /** Selector of the part of the page to check. */
  within?: string;
}

/** Serious and critical accessibility violations, found by axe. */
export async function findBarriers(page: Page, { within }: Scope = {}): Promise<unknown[]> {
  // Our pages have no frames, so axe need not open a second page.
  const builder = new AxeBuilder({ page }).setLegacyMode();
  builder.options({ resultTypes: ["violations"] });
  // A closing toast is half transparent.
  builder.exclude("[data-ending-style]");
  // Base UI's focus guards are hidden and focusable by design: they pass the focus on.
  builder.exclude("[data-base-ui-focus-guard]");
  if (within) builder.include(within);
  const { violations } = await builder.analyze();
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical");
}
