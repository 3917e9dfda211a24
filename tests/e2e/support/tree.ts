import type { Locator, Page } from "@playwright/test";
import { type MessageKey, messages } from "./interface.ts";
import { expectToast } from "./messages.ts";
import { expect } from "./test.ts";

/** Page object of the tree in the sidebar, by the labels of `language`. */
export function getTree(page: Page, language: "en" | "zh") {
  const getMessage = (key: MessageKey, name = "") =>
    messages[language][key].replace("{name}", name);
  const side = page.getByRole("complementary", { name: getMessage("sidebar.title") });
  const item = (name: string) => side.getByRole("treeitem", { name, exact: true });
  return {
    getMessage,
    side,
    item,
    uncategorized: item(getMessage("tree.uncategorized")),
    search: side.getByRole("searchbox", { name: getMessage("tree.search") }),
    /** The field for a name. */
    field: side.getByRole("tree").getByRole("textbox"),
    dialog: (key: MessageKey, name = "") =>
      page.getByRole("dialog", { name: getMessage(key, name) }),
    expectMessage: (key: MessageKey, title?: MessageKey) =>
      expectToast(page, getMessage(title ?? key), title && getMessage(key), {
        notifications: getMessage("common.notifications"),
      }),
    /** Expects these names of rows from top to bottom, with a leading dot per level. */
    async expectRows(...rows: string[]) {
      await expect
        .poll(() =>
          side.getByRole("treeitem").evaluateAll((items) =>
            items
              .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
              .map((one) => {
                const name = document.getElementById(one.getAttribute("aria-labelledby") ?? "");
                const level = Number(one.getAttribute("aria-level"));
                return ".".repeat(level - 1) + (name?.textContent ?? "");
              }),
          ),
        )
        .toEqual(rows);
    },
    /** Chooses an entry from the menu of a row. */
    async choose(name: string, entry: MessageKey) {
      await item(name).hover();
      await item(name)
        .getByRole("button", { name: getMessage("tree.menuOf", name) })
        .click();
      await page.getByRole("menuitem", { name: getMessage(entry), exact: true }).click();
    },
    /** Chooses an entry from the menu for all lectures. */
    async chooseForAll(entry: MessageKey) {
      await side.getByRole("button", { name: getMessage("tree.more") }).click();
      await page.getByRole("menuitem", { name: getMessage(entry), exact: true }).click();
    },
    /** Drags `source` over `target` without dropping it. */
    async drag(source: Locator, target: Locator) {
      const from = await getGrabPoint(source);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + 4, from.y);
      const to = await getGrabPoint(target);
      await page.mouse.move(to.x, to.y, { steps: 3 });
    },
  };
}

/** A point near the left end of the first line of a row. */
export async function getGrabPoint(row: Locator): Promise<{ x: number; y: number }> {
  const box = await row.boundingBox();
  if (!box) throw new Error("The row is not in view");
  return { x: box.x + 60, y: box.y + 16 };
}
