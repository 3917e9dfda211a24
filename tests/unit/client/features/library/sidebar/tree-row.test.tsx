// @vitest-environment happy-dom
import { beforeAll, expect, test } from "vitest";
import { sidebarMessages } from "#client/features/library/sidebar/messages/index.ts";
import { TreeRow } from "#client/features/library/sidebar/tree-row.tsx";
import { buildTreeRows } from "#client/features/library/sidebar/tree-rows.ts";
import type { TreeCommands } from "#client/features/library/sidebar/use-tree-commands.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { buildTree } from "#client/state/library/folder-tree.ts";
import { folder, list } from "#tests/unit/client/kit/folders.ts";
import { show } from "#tests/unit/client/kit/page.tsx";

beforeAll(() => Promise.all([showLanguage("en"), sidebarMessages.load()]));

const depth = 20;
const name = "ف".repeat(200);
const chain = Array.from({ length: depth }, (_, at) =>
  folder(String(at), at === 0 ? null : String(at - 1), { name }),
);

test("gives a long Arabic name 20 levels deep its own direction and enough width", async () => {
  const open = new Set(chain.map(({ id }) => id));
  const rows = buildTreeRows({
    tree: buildTree(list(chain)),
    expanded: open,
    getLoaded: () => null,
    draft: null,
  });
  const row = rows.find(({ level }) => level === depth);
  if (!row) throw new Error("no row");
  await show(
    <TreeRow
      {...{ row, id: "row", start: 0, size: 32, tabbable: true, selected: false, current: false }}
      {...{ editing: false, isMoving: false, isDropTarget: false, onNew: () => {} }}
      commands={{} as TreeCommands}
    />,
  );
  const item = document.body.querySelector<HTMLElement>("[role=treeitem]");
  expect(item?.getAttribute("aria-level")).toBe(String(depth));
  // The sidebar is 248 px wide.
  expect(Number.parseInt(item?.style.paddingLeft ?? "", 10)).toBeLessThan(140);
  const nameElement = document.body.querySelector("#row-name");
  expect(nameElement?.getAttribute("dir")).toBe("auto");
  expect(nameElement?.className).toContain("truncate");
  expect(nameElement?.getAttribute("title")).toBe(name);
});
