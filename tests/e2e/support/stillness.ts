import type { Page } from "@playwright/test";

/** Rows may be moved by less, px: the browser places text at fractions. */
const tolerancePx = 0.5;

/**
 * Watches from now on whether finished rows move within the transcript, frame by frame. Returns the function that ends
 * the watch and lists what has moved. The window's width must not change meanwhile, and the recording must not stop:
 * rows then take the height that they need.
 */
export async function watchStillness(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate((tolerance) => {
    const tops = new Map<string, number>();
    const moves: string[] = [];
    let isWatching = true;
    function check(): void {
      const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
      const first = rows[0]?.getBoundingClientRect().top ?? 0;
      for (const row of rows) {
        const position = row.dataset.row ?? "";
        const top = row.getBoundingClientRect().top - first;
        const before = tops.get(position) ?? top;
        if (Math.abs(top - before) > tolerance) moves.push(`${position}: ${before} → ${top}`);
        tops.set(position, top);
      }
      if (isWatching) requestAnimationFrame(check);
    }
    check();
    Reflect.set(window, "endWatch", () => {
      isWatching = false;
      return moves;
    });
  }, tolerancePx);
  return () => page.evaluate(() => Reflect.get(window, "endWatch")());
}
