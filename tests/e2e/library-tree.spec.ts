import type { Locator } from "@playwright/test";
import { openLectures, signUp } from "./support/journey.ts";
import { callProcedure, storeFolder } from "./support/library.ts";
import { matchCalls } from "./support/procedures.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getGrabPoint, getTree } from "./support/tree.ts";

/** The sidebar of lectures: dragging, and where the browser puts the focus. */

test("drags lectures and folders with a mouse", { tag: "@nightly" }, async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await storeFolder(page, "Light", await storeFolder(page, "Physics"));
  await storeFolder(page, "Meetings");
  await storeLecture(page, [], { title: "Heat" });
  await page.goto("/record");
  await openLectures(page);
  const tree = getTree(page, "en");
  const { item, side, expectMessage } = tree;
  // What has moved under the pointer since it was measured shows here, not as a wrong folder later.
  const dragTo = async (source: Locator, target: Locator, place: string) => {
    await tree.drag(source, target);
    await expect(side.locator("[aria-live=polite]")).toHaveText(`Move to ${place}.`);
  };
  const drop = async (message: Parameters<typeof expectMessage>[0]) => {
    await page.mouse.up();
    await expectMessage(message);
  };
  await tree.expectRows("Meetings", "Physics", "Uncategorized", ".Heat");
  // A press that moves by 3 px is a click: the folder opens, and closes.
  for (const rows of [
    ["Meetings", "Physics", ".Light"],
    ["Meetings", "Physics"],
  ]) {
    const physics = await getGrabPoint(item("Physics"));
    await page.mouse.move(physics.x, physics.y);
    await page.mouse.down();
    await page.mouse.move(physics.x + 3, physics.y);
    await page.mouse.up();
    await tree.expectRows(...rows, "Uncategorized", ".Heat");
  }

  // A closed folder opens under a dragged item.
  await dragTo(item("Heat"), item("Physics"), "Physics");
  await expect(item("Physics")).toHaveAttribute("aria-expanded", "true");
  const light = await getGrabPoint(item("Light"));
  await page.mouse.move(light.x, light.y);
  await drop("library.lectureMoved");
  await expect(item("Light")).toHaveAccessibleDescription(/1/);
  await item("Light").click();
  const inLight = ["Meetings", "Physics", ".Light", "..Heat", "Uncategorized"];
  await tree.expectRows(...inLight);
  await tree.drag(item("Heat"), tree.uncategorized);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await tree.expectRows(...inLight);

  await dragTo(item("Meetings"), item("Light"), "Light");
  await drop("library.folderUpdated");
  await tree.expectRows("Physics", ".Light", "..Meetings", "..Heat", "Uncategorized");
  // A folder cannot be moved into its own subfolder; no request is sent.
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await tree.drag(item("Physics"), item("Meetings"));
  await page.mouse.up();
  await tree.drag(item("Light"), page.getByText("Top level"));
  await drop("library.folderUpdated");
  expect(requests.filter((url) => matchCalls("folders.move").test(url))).toHaveLength(1);
  await tree.expectRows("Light", ".Meetings", ".Heat", "Physics", "Uncategorized");
});

// `library-panel.test.tsx`, `keyboard.test.ts` and `name-field.test.tsx` hold it every time.
test("在菜单、输入框与对话框之间移动焦点", { tag: "@nightly" }, async ({ visit }) => {
  const page = await visit({ language: "zh" });
  await signUp(page);
  const seminar = await storeFolder(page, "Seminar");
  const cells = await storeLecture(page, [], { title: "Cells divide" });
  await callProcedure(page, "lectures.move", { id: cells, folderId: seminar });
  await page.goto(`/record?lecture=${cells}`);
  const tree = getTree(page, "zh");
  const { item, field, dialog, getMessage, expectMessage, side } = tree;
  const uncategorized = getMessage("tree.uncategorized");
  await page.getByRole("button", { name: getMessage("sidebar.show") }).click();
  await tree.expectRows("Seminar", ".Cells divide", uncategorized);
  await side.getByRole("heading").click();
  await page.keyboard.press("/");
  await expect(tree.search).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(item("Seminar")).toBeFocused();

  // From the row's menu into the field of a new folder, and back to its row.
  await page.keyboard.press("Shift+F10");
  await expect(page.getByRole("menuitem", { name: getMessage("tree.rename") })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(field).toBeFocused();
  await page.keyboard.type("Notes");
  await page.keyboard.press("Enter");
  await expect(item("Notes")).toBeFocused();
  await expectMessage("library.folderCreated");
  await item("Notes").click({ button: "right" });
  await page.getByRole("menuitem", { name: getMessage("tree.rename") }).click();
  await field.fill("Workshop");
  // Leaving the field saves the name.
  await side.getByRole("heading").click();
  await expectMessage("library.folderUpdated");

  // Deleting the open lecture leaves an empty screen, and the focus on the next row.
  await item("Cells divide").focus();
  await page.keyboard.press("Delete");
  const sure = page.getByRole("alertdialog", { name: getMessage("delete.title") });
  await sure.getByRole("button", { name: getMessage("delete.confirm") }).click();
  await expect(item("Cells divide")).toHaveCount(0);
  await expect(item(uncategorized)).toBeFocused();
  await expect(page).toHaveURL(/\/record$/);
  await expectMessage("delete.done");

  // On a slow machine the menu is still closing when its dialog opens; the dialog must get the focus.
  const slow = await page.context().newCDPSession(page);
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 8 });
  await tree.chooseForAll("tree.deleteAll");
  const all = dialog("tree.deleteAll");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(all.getByRole("textbox")).toBeFocused();
  await slow.detach();
  await page.keyboard.type("delete all");
  await page.keyboard.press("Enter");
  await expectMessage("library.allDeleted");
  await tree.expectRows("Seminar", ".Workshop", uncategorized);
});

// `use-drag.test.ts` holds it every time.
test("drags a lecture after a long press on a phone", { tag: "@nightly" }, async ({
  visit,
  site,
}) => {
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
