import type { Page } from "@playwright/test";
import { expectToast } from "./support/messages.ts";
import { expect, test } from "./support/test.ts";

const sample = "This is a sample page: nothing was sent or saved.";
const paths = [
  "/record2",
  "/home2",
  "/ai-assistant2",
  "/courses2",
  "/notes2",
  "/knowledge2",
  "/settings2",
  "/subscription2",
  "/profile2",
];

/** The page's requests other than for its files. */
function recordRequests(page: Page): string[] {
  const requests: string[] = [];
  let origin: string | null = null;
  page.on("request", (request) => {
    const { origin: of, pathname } = new URL(request.url());
    if (request.isNavigationRequest()) origin ??= of;
    if (of !== origin || /^\/(trpc|api)\b/.test(pathname)) requests.push(request.url());
  });
  page.on("websocket", (socket) => requests.push(socket.url()));
  return requests;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** A toast, without its announcement by another element. */
const getToast = (page: Page, text: string) =>
  page.getByRole("region", { name: /^(Notifications|通知)$/ }).getByText(text, { exact: true });

test("offers player, chat, notes and a meeting in the sample recording", async ({ visit }) => {
  const page = await visit();
  const requests = recordRequests(page);
  await page.clock.install({ time: new Date("2026-11-20T10:00:00") });
  await page.goto("/record2");
  await expect(page).toHaveURL(/\/record2$/);
  const recording = heading(page, "线性代数 · 第六讲：矩阵的秩");
  await expect(recording).toHaveAttribute("lang", "zh-Hans");
  await page.clock.pauseAt(new Date("2026-11-20T10:05:00"));

  const player = page.getByRole("region", { name: "Player" });
  const slider = player.getByRole("slider", { name: "Position" });
  await expect(slider).toHaveAttribute("max", "192");
  await player.getByRole("button", { name: "Play" }).click();
  await page.clock.runFor(3_000);
  await expect(slider).toHaveValue("3");
  await expect(player.getByText("0:03")).toBeVisible();
  await player.getByRole("button", { name: "Pause" }).click();
  await page.clock.runFor(2_000);
  await expect(slider).toHaveValue("3");
  await slider.press("ArrowRight");
  await expect(slider).toHaveValue("4");
  await slider.fill("190");
  await player.getByRole("button", { name: "Play" }).click();
  await page.clock.runFor(5_000);
  await expect(slider).toHaveValue("192");
  await expect(player.getByText("3:12").first()).toBeVisible();
  await expect(player.getByRole("button", { name: "Play" })).toBeVisible();
  await page.getByRole("button", { name: /我们休息十分钟/ }).click();
  await expect(slider).toHaveValue("178");

  const chat = page.getByRole("log", { name: "Messages" });
  const send = page.getByRole("button", { name: "Send" });
  const field = page.getByRole("textbox", { name: "Your question" });
  await expect(send).toBeDisabled();
  await field.fill("   ");
  await expect(send).toBeDisabled();
  await field.fill("What is a rank?");
  await send.click();
  await expect(chat.getByText("What is a rank?")).toBeVisible();
  await field.fill("And why?");
  await expect(send).toBeDisabled();
  await page.clock.runFor(1_499);
  await expect(chat.getByText("Assistant")).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(chat.getByText("Assistant")).toHaveCount(2);
  await expect(chat.getByText(/^矩阵的秩，/)).toHaveAttribute("lang", "zh-Hans");
  await expect(send).toBeEnabled();
  await page.clock.resume();

  await page.getByRole("tab", { name: "Summary" }).click();
  await expect(page.getByRole("heading", { name: "Key points" })).toBeVisible();
  await page.getByRole("tab", { name: "Notes" }).click();
  for (const format of ["Bold", "Italic", "Underline", "Heading", "List", "Quote"]) {
    await page.getByRole("button", { name: format, exact: true }).click();
    await expectToast(page, format, sample);
  }
  for (const name of ["Share", "Export", "Create Live"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await expectToast(page, name, sample);
  }
  await page.getByRole("searchbox", { name: "Search" }).fill("rank");
  await page.keyboard.press("Enter");
  await expectToast(page, "Search", sample);

  await page.getByRole("button", { name: "Create Meeting" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Meeting" });
  await dialog.getByLabel("Meeting name").fill("  ");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(getToast(page, "Please enter a meeting name")).toBeVisible();
  await expect(dialog.getByLabel("Meeting name")).toBeFocused();
  await dialog.getByLabel("Meeting name").fill("Seminar");
  await dialog.getByLabel("Invite by email (optional)").fill("somebody@example.edu");
  await dialog.getByRole("radio", { name: "Private" }).check();
  await expect(dialog.getByText("Only those who are invited can join.")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expectToast(page, "Meeting created", sample);

  await page.getByRole("button", { name: "Hide the sidebar" }).click();
  await expect(page.getByRole("navigation", { name: "Sample pages" })).toBeHidden();
  await page.getByRole("button", { name: "Show the sidebar" }).click();
  await page.getByRole("button", { name: "Folders" }).click();
  await expect(page.getByRole("button", { name: "研讨会" })).toBeVisible();
  for (const [link, title] of [
    ["Home", "Home"],
    ["Notes", "Notes"],
    ["Knowledge", "Knowledge"],
    ["Subscribe", "Subscription"],
    ["Profile", "Profile"],
  ] as const) {
    await page.getByRole("navigation").getByRole("link", { name: link, exact: true }).click();
    await expect(heading(page, title)).toBeVisible();
    await page.getByRole("link", { name: "Back to Recording" }).click();
    await expect(recording).toBeVisible();
  }
  expect(requests).toEqual([]);
});

test("shows the calendar, the courses and the settings", async ({ visit }) => {
  const page = await visit();
  const requests = recordRequests(page);
  await page.clock.install({ time: new Date("2026-11-20T10:00:00") });
  await page.goto("/courses2");
  const calendar = page.getByRole("region", { name: "Calendar" });
  const title = (text: string) =>
    expect(calendar.getByRole("heading", { level: 2, name: text, exact: true })).toBeVisible();
  const days = calendar.locator("[data-day]");
  await title("October 2025");
  await expect(days).toHaveCount(42);
  await expect(calendar.getByRole("columnheader")).toHaveText(
    "Sun Mon Tue Wed Thu Fri Sat".split(" "),
  );
  await calendar.getByRole("button", { name: "Next month" }).click();
  await title("November 2025");
  await calendar.getByRole("button", { name: "Previous month" }).click();
  await title("October 2025");
  const chosen = calendar.getByRole("button", { pressed: true });
  await expect(chosen).toHaveAttribute("data-day", "2025-10-15");
  await chosen.press("ArrowDown");
  await expect(chosen).toHaveAttribute("data-day", "2025-10-22");
  await expect(chosen).toBeFocused();
  await expect(chosen).toHaveAccessibleName("Wednesday, October 22, 2025, 2 lessons");
  const add = calendar.getByRole("button", { name: "Add to calendar" });
  await expect(add).toHaveCount(2);
  await add.first().click();
  await expectToast(page, "Added to the calendar", sample);
  await expect(add).toHaveCount(1);
  await calendar.getByRole("radio", { name: "Week" }).check();
  await expect(days).toHaveCount(7);
  await calendar.getByRole("radio", { name: "Day" }).check();
  await title("Wednesday, October 22, 2025");
  await expect(add).toHaveCount(1);
  await calendar.getByRole("button", { name: "Next day" }).click();
  await title("Thursday, October 23, 2025");
  await calendar.getByRole("radio", { name: "Month" }).check();
  await calendar.getByRole("button", { name: "Today" }).click();
  await title("November 2026");
  await expect(chosen).toHaveAttribute("aria-current", "date");

  const courses = page.getByRole("region", { name: "Courses" });
  const course = courses.getByRole("listitem");
  await expect(course).toHaveCount(15);
  await expect(course.first().getByText("2,846 watching")).toBeVisible();
  await courses.getByRole("radio", { name: "Popular" }).check();
  await expect(course.first().getByText("4,205 watching")).toBeVisible();
  await courses.getByRole("radio", { name: "Recent" }).check();
  await expect(course.first()).toContainText("中国古代文学");
  const search = courses.getByRole("searchbox", { name: "Search courses" });
  await search.fill("no such course");
  await courses.getByRole("button", { name: "Show all courses" }).click();
  await search.fill("PYTHON");
  await expect(course).toHaveCount(1);
  await course.getByRole("button", { name: "Enroll" }).click();
  await expectToast(page, "You are enrolled", sample);
  await expect(course.getByRole("button", { name: "Enrolled" })).toBeDisabled();

  await page.getByRole("link", { name: "Settings" }).click();
  const html = page.locator("html");
  const theme = page.getByRole("group", { name: "Theme" });
  const stored = () => page.evaluate(() => localStorage.getItem("theme"));
  await theme.getByRole("radio", { name: "Dark" }).check();
  await expect(html).toHaveClass(/dark/);
  expect(await stored()).toBe("dark");
  await theme.getByRole("radio", { name: "System" }).check();
  await expect(html).not.toHaveClass(/dark/);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(html).toHaveClass(/dark/);
  expect(await stored()).toBe("system");
  await page.reload();
  await expect(theme.getByRole("radio", { name: "System" })).toBeChecked();
  await expect(html).toHaveClass(/dark/);
  await theme.getByRole("radio", { name: "Light" }).check();
  await expect(html).not.toHaveClass(/dark/);

  await page.getByRole("textbox", { name: "Role" }).fill("Student");
  await page.getByRole("tab", { name: "Core" }).click();
  const word = page.getByRole("radio", { name: "Word (editable)" });
  await expect(page.getByRole("radio", { name: "PDF (read-only)" })).toBeChecked();
  await word.check();
  await page.getByRole("tab", { name: "Assist" }).click();
  const reminder = page.getByRole("switch", { name: "Course reminder" });
  await expect(reminder).toBeChecked();
  await reminder.click();
  await expect(reminder).not.toBeChecked();
  await page.getByRole("switch", { name: "Note generation" }).click();
  await page.getByRole("tab", { name: "Related" }).click();
  await page.getByRole("button", { name: "Open: Help" }).click();
  await expectToast(page, "Help", sample);
  await page.getByRole("tab", { name: "Exit" }).click();
  await expect(page.getByRole("link", { name: "Go to Dualect" })).toHaveAttribute("href", "/");
  await page.getByRole("tab", { name: "Core" }).click();
  await expect(word).toBeChecked();
  await page.getByRole("tab", { name: "Personal" }).click();
  await expect(page.getByRole("textbox", { name: "Role" })).toHaveValue("Student");
  await page.getByRole("radio", { name: "中文" }).click();
  await expect(heading(page, "设置")).toBeVisible();
  await expect(html).toHaveAttribute("lang", "zh-Hans");
  expect(requests).toEqual([]);
});

test("works in Chinese and on a phone without a server request by any button", async ({
  visit,
}) => {
  const page = await visit({ language: "zh", viewport: { width: 390, height: 844 } });
  const requests = recordRequests(page);
  await page.goto("/record2");
  await expect(page.getByRole("navigation", { name: "示例页面" })).toBeHidden();
  await page.getByRole("button", { name: "显示侧边栏" }).click();
  await page.getByRole("button", { name: "创建会议" }).click();
  const dialog = page.getByRole("dialog", { name: "创建会议" });
  await dialog.getByRole("button", { name: "创建", exact: true }).click();
  await expect(getToast(page, "请输入会议名称")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("link", { name: "课程日历" }).click();
  await expect(page.getByRole("navigation", { name: "示例页面" })).toBeHidden();
  await expect(page.getByRole("heading", { name: "2025年10月", exact: true })).toBeVisible();
  await expect(page.getByRole("columnheader")).toHaveText([..."日一二三四五六"]);
  await expect(page.getByText("15 门课程")).toBeVisible();

  await page.setViewportSize({ width: 1440, height: 900 });
  for (const path of paths) {
    // The sidebar was hidden on the previous page, and the device remembers it.
    await page.evaluate(() => localStorage.clear());
    await page.goto(path);
    await expect(page.locator("main")).toBeVisible();
    await page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLElement>(
        "button:enabled, input[type=radio]",
      ))
        button.click();
    });
    await expect(page.getByRole("dialog"), path).toBeVisible();
    await expect(page.getByRole("region", { name: /^(Notifications|通知)$/ })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
  expect(requests).toEqual([]);
});
