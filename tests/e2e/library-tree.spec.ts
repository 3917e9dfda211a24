import type { Page } from "@playwright/test";
import { signUp } from "./support/journey.ts";
import { callProcedure, storeFolder } from "./support/library.ts";
import { matchCalls } from "./support/procedures.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getGrabPoint, getTree, type Tree } from "./support/tree.ts";

/** The sidebar of lectures: every action by pointer and by keyboard. */

test("manages folders and lectures by pointer and follows another tab", async ({
  visit,
  expectConsoleErrors,
}) => {
  // The server refuses one call.
  expectConsoleErrors(/503/);
  const page = await visit();
  await signUp(page, "/record");
  const tree = getTree(page, "en");
  await createByPointer(page, tree);
  await moveByPointer(page, tree);
  await followOtherTab(page, tree);
  await revertRefusedChange(page, tree);
});

test("键盘操作：文件夹与课程", async ({ visit }) => {
  const page = await visit({ language: "zh" });
  await signUp(page);
  await storeFolder(page, "Biology");
  await storeFolder(page, "Meetings", await storeFolder(page, "Light"));
  const seminar = await storeFolder(page, "Seminar");
  const cells = await storeLecture(page, [], { title: "Cells divide" });
  await callProcedure(page, "lectures.move", { id: cells, folderId: seminar });
  await storeLecture(page, [], { title: "Heat" });
  await page.goto(`/record?lecture=${cells}`);
  const tree = getTree(page, "zh");
  const uncategorized = tree.getMessage("tree.uncategorized");
  // The open lecture's folder is expanded automatically.
  await tree.expectRows("Biology", "Light", "Seminar", ".Cells divide", uncategorized, ".Heat");
  await tree.item("Light").click();
  await tree.expectRows(
    "Biology",
    "Light",
    ".Meetings",
    "Seminar",
    ".Cells divide",
    uncategorized,
    ".Heat",
  );
  await manageByKeyboard(page, tree);
  await deleteAll(page, tree);
});

test("drags a lecture after a long press on a phone", async ({ visit, site }) => {
  const desk = await visit();
  await signUp(desk);
  await storeFolder(desk, "Meetings");
  await storeLecture(desk, [], { title: "Heat" });
  const context = await desk
    .context()
    .browser()
    ?.newContext({
      baseURL: site.url,
      storageState: await desk.context().storageState(),
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
  if (!context) throw new Error("The browser is gone");
  const page = await context.newPage();
  await page.goto("/record");
  await page.getByRole("button", { name: "Show lectures" }).tap();
  const { item, side } = getTree(page, "en");
  const live = side.locator("[aria-live=polite]");
  await expect(item("Heat")).toBeVisible();

  const device = await context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: Point[]) =>
    device.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const from = await getGrabPoint(item("Heat"));
  await touch("touchStart", from);
  await expect(live).toHaveText("Dragging Heat.");
  await touch("touchMove", { x: from.x, y: from.y - 20 });
  await touch("touchMove", await getGrabPoint(item("Meetings")));
  await expect(live).toHaveText("Move to Meetings.");
  await touch("touchEnd");
  await expect(live).toHaveText("Heat moved to Meetings.");
  // Hovering with the dragged item has opened the folder.
  if ((await item("Meetings").getAttribute("aria-expanded")) === "false")
    await item("Meetings").tap();
  await expect(item("Heat")).toHaveAttribute("aria-level", "2");
  await expect(item("Heat")).toHaveAttribute("aria-posinset", "1");
  await item("Heat").getByRole("button", { name: "Menu for Heat" }).tap();
  await page.getByRole("menuitem", { name: "Delete" }).tap();
  const sure = page.getByRole("alertdialog", { name: "Delete Lecture" });
  await expect(sure).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sure).toBeHidden();
  await expect(item("Heat")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Show lectures" })).toBeFocused();
  await context.close();
});

type Point = Awaited<ReturnType<typeof getGrabPoint>>;

async function createByPointer(page: Page, tree: Tree) {
  const { side, field, item, getMessage, expectMessage } = tree;
  const uncategorized = getMessage("tree.uncategorized");
  await expect(side.getByText(getMessage("sidebar.empty"))).toBeVisible();
  await expect(side.getByText(getMessage("sidebar.emptyHint"))).toBeVisible();

  const add = side.getByRole("button", { name: getMessage("tree.addFolder") });
  await add.click();
  await field.fill("Given up");
  await field.press("Escape");
  await tree.expectRows(uncategorized);
  await add.click();
  await field.fill("   ");
  await field.press("Enter");
  await tree.expectRows(uncategorized);
  await add.click();
  await field.fill("  Physics ");
  await field.press("Enter");
  await expect(item("Physics")).toBeFocused();
  await expectMessage("library.folderCreated");
  await tree.chooseForAll("tree.addFolder");
  await field.fill("Meetings");
  // Leaving the field saves the name.
  await side.getByRole("heading").click();
  await expectMessage("library.folderCreated");
  await tree.choose("Physics", "tree.newInside");
  await field.fill("Optics");
  await field.press("Enter");
  await expectMessage("library.folderCreated");
  await tree.expectRows("Meetings", "Physics", ".Optics", uncategorized);

  await side.getByRole("button", { name: getMessage("sidebar.newLecture") }).click();
  await expectMessage("notice.newLectureCreated");
  const draft = side.getByRole("treeitem", { level: 2 }).last();
  await expect(draft).toHaveAttribute("aria-current", "true");
  await draft.click({ button: "right" });
  await page.getByRole("menuitem", { name: getMessage("tree.rename") }).click();
  await field.fill("Heat");
  await field.press("Enter");
  await expect(item("Heat")).toBeFocused();
  await expectMessage("lecture.renamed");
  await tree.choose("Heat", "tree.rename");
  await field.fill("Cold");
  await field.press("Escape");
  await tree.choose("Optics", "tree.rename");
  await field.fill("Light");
  await side.getByRole("heading").click();
  await expectMessage("library.folderUpdated");
  await tree.expectRows("Meetings", "Physics", ".Light", uncategorized, ".Heat");
}

async function moveByPointer(page: Page, tree: Tree) {
  const { item, getMessage, expectMessage } = tree;
  const uncategorized = getMessage("tree.uncategorized");
  // A press that moves by 3 px is a click: the folder closes.
  const physics = await getGrabPoint(item("Physics"));
  await page.mouse.move(physics.x, physics.y);
  await page.mouse.down();
  await page.mouse.move(physics.x + 3, physics.y);
  await page.mouse.up();
  await tree.expectRows("Meetings", "Physics", uncategorized, ".Heat");

  // A closed folder opens under a dragged item.
  await tree.drag(item("Heat"), item("Physics"));
  await expect(item("Physics")).toHaveAttribute("aria-expanded", "true");
  const light = await getGrabPoint(item("Light"));
  await page.mouse.move(light.x, light.y);
  await page.mouse.up();
  await expectMessage("library.lectureMoved");
  await expect(item("Light")).toHaveAccessibleDescription(/1/);
  await item("Light").click();
  await tree.expectRows("Meetings", "Physics", ".Light", "..Heat", uncategorized);

  await tree.drag(item("Heat"), tree.uncategorized);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await tree.expectRows("Meetings", "Physics", ".Light", "..Heat", uncategorized);
  await tree.drag(item("Heat"), tree.uncategorized);
  await page.mouse.up();
  await expectMessage("library.lectureMoved");
  await tree.expectRows("Meetings", "Physics", ".Light", uncategorized, ".Heat");

  await tree.drag(item("Meetings"), item("Light"));
  await page.mouse.up();
  await expectMessage("library.folderUpdated");
  await tree.expectRows("Physics", ".Light", "..Meetings", uncategorized, ".Heat");
  // A folder cannot be moved into its own subfolder; no request is sent.
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await tree.drag(item("Physics"), item("Meetings"));
  await page.mouse.up();
  await tree.drag(item("Light"), page.getByText(getMessage("tree.topLevel")));
  await page.mouse.up();
  await expectMessage("library.folderUpdated");
  expect(requests.filter((url) => matchCalls("folders.move").test(url))).toHaveLength(1);
  await tree.expectRows("Light", ".Meetings", "Physics", uncategorized, ".Heat");
}

async function followOtherTab(page: Page, tree: Tree) {
  const { item, getMessage, search, side } = tree;
  const uncategorized = getMessage("tree.uncategorized");
  const other = await page.context().newPage();
  await other.goto("/record");
  const second = getTree(other, getMessage("common.ok") === "OK" ? "en" : "zh");
  await second.expectRows("Light", ".Meetings", "Physics", uncategorized, ".Heat");
  await second.choose("Physics", "tree.rename");
  await second.field.fill("Biology");
  await second.field.press("Enter");
  await second.expectMessage("library.folderUpdated");
  const seminar = await storeFolder(other, "Seminar");
  const cells = await storeLecture(other, [], { title: "Cells divide" });
  await callProcedure(other, "lectures.move", { id: cells, folderId: seminar });
  await other.close();
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await tree.expectRows("Biology", "Light", ".Meetings", "Seminar", uncategorized, ".Heat");

  await search.fill("CELL");
  await tree.expectRows("Seminar", ".Cells divide");
  await search.fill("meet");
  await tree.expectRows("Light", ".Meetings");
  await search.fill("nothing at all");
  await expect(side.getByText(getMessage("tree.nothing"))).toBeVisible();
  await side.getByRole("button", { name: getMessage("tree.clearSearch") }).click();
  await item("Seminar").click();
  await item("Cells divide").click();
  await expect(page).toHaveURL(new RegExp(`lecture=${cells}`));
  await expect(item("Cells divide")).toHaveAttribute("aria-current", "true");

  // Open folders are remembered, and the open lecture's folder is expanded automatically.
  await item("Seminar").click();
  await page.reload();
  await tree.expectRows(
    "Biology",
    "Light",
    ".Meetings",
    "Seminar",
    ".Cells divide",
    uncategorized,
    ".Heat",
  );
}

async function revertRefusedChange(page: Page, tree: Tree) {
  const { item, field, expectMessage } = tree;
  await page.route(matchCalls("folders.rename"), (route) => route.fulfill({ status: 503 }));
  await tree.choose("Biology", "tree.rename");
  await field.fill("Botany");
  await field.press("Enter");
  await expectMessage("library.folderNotUpdated", "common.error");
  await expect(item("Biology")).toBeVisible();
  await expect(item("Botany")).toHaveCount(0);
  await page.unroute(matchCalls("folders.rename"));
}

async function manageByKeyboard(page: Page, tree: Tree) {
  const { item, field, getMessage, dialog, side } = tree;
  const uncategorized = getMessage("tree.uncategorized");
  const keys = async (...pressed: string[]) => {
    for (const key of pressed) await page.keyboard.press(key);
  };
  const menu = async () => {
    await keys("Shift+F10");
    await expect(page.getByRole("menuitem", { name: getMessage("tree.rename") })).toBeFocused();
  };
  /** A click closes the toast, and the focus returns to its earlier place. */
  const expectMessage = async (name: string, ...toast: Parameters<Tree["expectMessage"]>) => {
    await expect(item(name)).toBeFocused();
    await tree.expectMessage(...toast);
    await item(name).focus();
  };
  await side.getByRole("heading").click();
  await keys("/");
  await expect(tree.search).toBeFocused();
  await keys("ArrowDown");
  await expect(item("Biology")).toBeFocused();
  await keys("ArrowDown", "ArrowLeft");
  await tree.expectRows("Biology", "Light", "Seminar", ".Cells divide", uncategorized, ".Heat");
  await keys("ArrowRight", "ArrowRight");
  await expect(item("Meetings")).toBeFocused();
  await keys("End");
  await expect(item("Heat")).toBeFocused();
  await keys("Home", "s", "e");
  await expect(item("Seminar")).toBeFocused();
  // Escape does not close the list beside a wide page.
  await keys("Escape");
  await expect(item("Seminar")).toBeFocused();

  await keys("F2");
  await field.fill("Workshop");
  await keys("Enter");
  await expectMessage("Workshop", "library.folderUpdated");
  await keys("F2");
  await field.fill("Not so");
  await keys("Escape");
  await expect(item("Workshop")).toBeFocused();

  // A new subfolder from the menu.
  await menu();
  await keys("ArrowDown", "Enter");
  await field.fill("Notes");
  await keys("Enter");
  await expectMessage("Notes", "library.folderCreated");

  // Cut and paste of a lecture and of a folder.
  await keys("End", "Control+x");
  await expect(item("Heat")).toBeFocused();
  await keys("Home", "Control+v");
  await expectMessage("Biology", "library.lectureMoved");
  await keys("ArrowRight");
  await expect(item("Heat")).toBeVisible();
  await keys("ArrowRight");
  await expect(item("Heat")).toBeFocused();
  await keys("Home", "Control+x", "End", "Control+v");
  const live = side.locator("[aria-live=polite]");
  await expect(live).toHaveText(getMessage("tree.announce.noPlace", "Biology"));

  // "Move to..." with a search.
  await item("Heat").focus();
  await menu();
  await keys("ArrowDown", "Enter");
  await expect(dialog("tree.moveTitle", "Heat")).toBeVisible();
  await expect(page.getByRole("combobox", { name: getMessage("tree.moveSearch") })).toBeFocused();
  await page.keyboard.type("not");
  await expect(page.getByRole("option")).toHaveCount(1);
  await keys("Enter");
  await tree.expectMessage("library.lectureMoved");
  await expect(live).toContainText("Notes");
  await tree.expectRows(
    ...["Biology", "Light", ".Meetings", "Workshop", ".Notes", ".Cells divide", uncategorized],
  );
  await item("Notes").focus();
  await keys("ArrowRight");
  await expect(item("Heat")).toBeVisible();
  await keys("ArrowRight", "Enter");
  await expect(item("Heat")).toHaveAttribute("aria-current", "true");

  // Deleting the open lecture leaves an empty screen.
  await item("Heat").focus();
  await keys("Delete");
  const sure = page.getByRole("alertdialog", { name: getMessage("delete.title") });
  await expect(sure.getByText(getMessage("delete.text").replace("{days}", "30"))).toBeVisible();
  await sure.getByRole("button", { name: getMessage("delete.confirm") }).click();
  await expect(item("Heat")).toHaveCount(0);
  await expect(item("Cells divide")).toBeFocused();
  await tree.expectMessage("delete.done");
  await expect(page).toHaveURL(/\/record$/);

  await item("Workshop").focus();
  await keys("Delete");
  const folder = dialog("tree.deleteFolder");
  const confirm = folder.getByRole("button", { name: getMessage("tree.deleteFolder") });
  await expect(confirm).toBeDisabled();
  await expect(folder.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("remove");
  await keys("Enter");
  await tree.expectMessage("tree.invalidText", "tree.invalid");
  await expect(folder.getByText(getMessage("validation.typeDelete"))).toBeVisible();
  await folder.getByRole("textbox").fill("DELETE");
  await expect(confirm).toBeEnabled();
  await folder.getByRole("textbox").press("Enter");
  await expectMessage(uncategorized, "library.folderDeleted");
  await tree.expectRows("Biology", "Light", ".Meetings", uncategorized);
}

async function deleteAll(page: Page, tree: Tree) {
  const { getMessage, expectMessage, dialog, side } = tree;
  await storeLecture(page, [], { title: "The last one" });
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(tree.item("The last one")).toBeVisible();
  // On a slow machine the menu is still closing when its dialog opens; the dialog must get the focus.
  const slow = await page.context().newCDPSession(page);
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 8 });
  await tree.chooseForAll("tree.deleteAll");
  const all = dialog("tree.deleteAll");
  const confirm = all.getByRole("button", { name: getMessage("tree.deleteAll") });
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(all.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("delete");
  await expect(confirm).toBeDisabled();
  await slow.detach();
  await page.keyboard.press("Enter");
  await expectMessage("validation.typeDeleteAll", "auth.validationError");
  await all.getByRole("textbox").fill("Delete All");
  await confirm.click();
  await expectMessage("library.allDeleted");
  await expect(side.getByText(getMessage("sidebar.empty"))).toBeVisible();
  await tree.expectRows("Biology", "Light", ".Meetings", getMessage("tree.uncategorized"));
}
