// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { pages } from "#client/features/mock/index.tsx";
import { mockMessages } from "#client/features/mock/messages/index.ts";
import type { MockPage } from "#client/features/mock/sidebar.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { commonMessages } from "#client/i18n/index.ts";
import { setSidebarOpen } from "#client/state/preferences.ts";
import { collectToasts, show, type } from "#tests/unit/client/kit/page.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const sampleText = "This is a sample page: nothing was sent or saved.";
const getPath = (name: string) => `/${name === "assistant" ? "ai-assistant" : name}2`;

const toasts = collectToasts();

beforeAll(() => import("#client/features/mock/meeting-dialog.tsx"));

beforeEach(async () => {
  vi.stubGlobal("scrollTo", () => {});
  vi.useFakeTimers({
    now: new Date(2026, 10, 20, 10),
    toFake: ["Date", "setTimeout", "clearTimeout"],
  });
  await Promise.all([showLanguage("en"), mockMessages.load(), commonMessages.load()]);
  setSidebarOpen(true);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open(name: MockPage) {
  const rootRoute = createRootRoute();
  const routes = Object.entries(pages).map(([page, component]) =>
    createRoute({ getParentRoute: () => rootRoute, path: getPath(page), component }),
  );
  const router = createRouter({
    routeTree: rootRoute.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [getPath(name)] }),
  });
  await router.load();
  await show(<RouterProvider router={router as never} />);
  return router;
}

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
const first = <E extends HTMLElement = HTMLElement>(selector: string) => {
  const found = document.querySelector<E>(selector);
  if (!found) throw new Error(`no ${selector} in: ${document.body.textContent}`);
  return found;
};

/** The control with this name: its label, or its text. */
function control(name: string) {
  const found = all("button, summary, a, [role=tab], [role=switch], input, textarea, label").find(
    (element) => (element.getAttribute("aria-label") ?? element.textContent) === name,
  );
  if (!found) throw new Error(`no control "${name}" in: ${document.body.textContent}`);
  return found.querySelector<HTMLElement>("input") ?? found;
}
const press = (name: string) => act(async () => control(name).click());
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const getTitle = (level: 1 | 2) => first(`main h${level}`).textContent;

it.each([
  ["home", "Home"],
  ["assistant", "AI assistant"],
  ["courses", "Course calendar"],
  ["notes", "Notes"],
  ["knowledge", "Knowledge"],
  ["settings", "Settings"],
  ["subscription", "Subscription"],
  ["profile", "Profile"],
] as const)("leads from %s back to the recording", async (page, title) => {
  const router = await open(page);
  expect(getTitle(1)).toBe(title);
  await press("Back to recording");
  expect(router.state.location.pathname).toBe("/record2");
  expect(getTitle(1)).toBe("Linear algebra · Lecture 6: The rank of a matrix");
});

it("shows the sample in the interface's language", async () => {
  await open("record");
  expect(document.body.textContent).toContain("Oct 15, 2025, 8:00 AM");
  await act(() => showLanguage("zh"));
  expect(getTitle(1)).toBe("线性代数 · 第六讲：矩阵的秩");
  expect(document.body.textContent).toContain("2025年10月15日 08:00");
  expect(first("ol").textContent).not.toMatch(/[a-z]{4}/i);
});

it("plays the sample recording by the second, to its end", async () => {
  await open("record");
  const slider = first<HTMLInputElement>("input[type=range]");
  expect([slider.max, slider.step, slider.value]).toEqual(["192", "1", "0"]);
  await press("Play");
  for (let second = 0; second < 3; second++) await pass(1_000);
  expect(slider.value).toBe("3");
  expect(slider.getAttribute("aria-valuetext")).toBe("0:03 of 3:12");
  await press("Pause");
  await pass(2_000);
  expect(slider.value).toBe("3");
  await type(slider, "191");
  await press("Play");
  await pass(1_000);
  await pass(1_000);
  expect(slider.value).toBe("192");
  await press("Play");
  expect(slider.value).toBe("0");
  await type(slider, "192");
  expect(control("Play").title).toBe("Play");
});

it("marks the current sentence, and seeks to a sentence", async () => {
  await open("record");
  const current = () => first("ol [aria-current]").textContent;
  await type(first("input[type=range]"), "8");
  expect(current()).toContain("Good morning, everyone");
  await type(first("input[type=range]"), "9");
  expect(current()).toContain("From last time we know");
  await act(async () => all("ol button").at(-1)?.click());
  expect(first<HTMLInputElement>("input[type=range]").value).toBe("178");
  await press("Summary");
  expect(getTitle(2)).toBe("Overview");
});

it("answers a question after 1.5 s, and takes none meanwhile", async () => {
  await open("assistant");
  const log = first("[role=log]");
  const send = control("Send") as HTMLButtonElement;
  const field = control("Your question") as HTMLInputElement;
  const count = (sender: string) => log.textContent.split(sender).length - 1;
  expect([send.disabled, count("Assistant")]).toEqual([true, 1]);
  await type(field, "   ");
  expect(send.disabled).toBe(true);
  await type(field, "  What is a rank? ");
  await press("Send");
  expect(field.value).toBe("");
  expect(all("[role=log] [lang='']").map((text) => text.textContent)).toEqual(["What is a rank?"]);
  await type(field, "And why?");
  expect(send.disabled).toBe(true);
  await act(async () => field.form?.requestSubmit());
  expect(count("And why?")).toBe(0);
  await pass(1_499);
  expect(count("Assistant")).toBe(1);
  await pass(1);
  expect(count("Assistant")).toBe(2);
  expect(log.textContent).toContain("The rank of a matrix is the largest number");
  expect([send.disabled, field.value]).toEqual([false, "And why?"]);
});

it("says of each button that it is a sample", async () => {
  await open("record");
  // The window is narrow: an open sidebar would cover the page.
  await press("Show the sidebar");
  await act(async () => first("aside [role=tab]:last-child").click());
  const names = ["Bold", "Italic", "Underline", "Heading", "List", "Quote", "Share", "Export"];
  for (const name of [...names, "Create live"]) await press(name);
  const search = first<HTMLInputElement>("header input[type=search]");
  await act(async () => search.form?.requestSubmit());
  await type(search, "rank");
  await act(async () => search.form?.requestSubmit());
  await press("Folders");
  await press("Seminars");
  const titles = [...names, "Create live", "Search", "Folders"];
  expect(toasts).toEqual(titles.map((title) => ({ kind: "info", title, description: sampleText })));
  await press("Hide the sidebar");
  expect(document.querySelector("nav")).toBeNull();
  await press("Show the sidebar");
  expect(first("nav").getAttribute("aria-label")).toBe("Sample pages");
});

it("creates a meeting only with a name", async () => {
  await open("record");
  await press("Show the sidebar");
  await press("Create meeting");
  const submit = () =>
    act(async () => first<HTMLFormElement>("[role=dialog] form").requestSubmit());
  // React renders a lazy component some turns after its module is there.
  const name = await waitFor(async () => {
    await act(async () => {});
    return first<HTMLInputElement>("[role=dialog] input[name=name]");
  });
  await type(name, "  ");
  await submit();
  expect(toasts.map(({ title }) => title)).toEqual(["Please enter a meeting name"]);
  await press("Private");
  const hint = first("[role=dialog] [role=status]").textContent;
  expect(hint).toBe("Only those who are invited can join.");
  await type(name, "Seminar");
  await submit();
  const description = sampleText;
  expect(toasts.at(-1)).toEqual({ kind: "success", title: "Meeting created", description });
});

it("shows months, weeks and days", async () => {
  await open("courses");
  const countDays = () => all("[data-day]").length;
  const chosen = () => first("[data-day][aria-pressed=true]");
  expect([getTitle(2), countDays()]).toEqual(["October 2025", 42]);
  expect(
    all("th")
      .map((head) => head.textContent)
      .join(" "),
  ).toBe("Sun Mon Tue Wed Thu Fri Sat");
  await press("Next month");
  expect(getTitle(2)).toBe("November 2025");
  await press("Previous month");
  expect(chosen().dataset.day).toBe("2025-10-15");
  await act(async () => first("[data-day='2025-10-22']").click());
  expect(chosen().getAttribute("aria-label")).toBe("Wednesday, October 22, 2025, 2 lessons");
  await press("Add to calendar");
  const description = sampleText;
  expect(toasts).toEqual([{ kind: "success", title: "Added to the calendar", description }]);
  await press("Week");
  expect(countDays()).toBe(7);
  await press("Day");
  expect([getTitle(2), countDays()]).toEqual(["Wednesday, October 22, 2025", 0]);
  // Of the two lessons of this day, one was added.
  expect(document.body.textContent.match(/Add to calendar/g)).toHaveLength(1);
  await press("Next day");
  expect(getTitle(2)).toBe("Thursday, October 23, 2025");
  await press("Month");
  await press("Today");
  expect(getTitle(2)).toBe("November 2026");
  expect(chosen().getAttribute("aria-current")).toBe("date");
});

it("filters, sorts and searches the courses", async () => {
  await open("courses");
  const courses = () => all("section[aria-labelledby] li").map((course) => course.textContent);
  const search = control("Search courses");
  const countViewers = () =>
    courses().map((text) => Number(/([\d,]+) watching/.exec(text)?.[1]?.replace(",", "")));
  expect(courses()).toHaveLength(15);
  expect(courses()[0]).toContain("2,846 watching");
  await press("Popular");
  expect(countViewers()).toEqual([4205, 3512, 3093, 2846, 1764, 1521, 1390, 1128]);
  await press("Recent");
  const titles = all("section[aria-labelledby] li h3").map((title) => title.textContent);
  expect(titles.join(", ")).toBe(
    "Classical Chinese literature, Introduction to machine learning, Organic chemistry, Probability and statistics, Academic writing, Programming in Python, Microeconomics",
  );
  await type(search, "no such course");
  await press("Show all courses");
  expect(courses()).toHaveLength(15);
  for (const query of [" PYTHON ", "Yue Sun", "First steps"]) {
    await type(search, query);
    expect(courses()).toHaveLength(1);
  }
  await press("Enroll");
  expect(toasts.at(-1)).toMatchObject({ title: "Enrolled", kind: "success" });
  expect(control("Enrolled").matches(":disabled")).toBe(true);
});

it("keeps the sample settings over its tabs, and stores the theme and the language", async () => {
  await open("settings");
  const html = document.documentElement;
  for (const theme of ["Dark", "Light", "System"]) {
    await press(theme);
    expect(localStorage.getItem("theme")).toBe(theme.toLowerCase());
    if (theme !== "System") expect(html.classList.contains("dark")).toBe(theme === "Dark");
  }
  await type(control("Role"), "Student");
  await press("Core");
  const isChecked = (name: string) => (control(name) as HTMLInputElement).checked;
  expect(isChecked("PDF (read-only)")).toBe(true);
  await press("Word (editable)");
  await press("Assist");
  await press("Related");
  await press("Open: Help");
  expect(toasts).toEqual([{ kind: "info", title: "Help", description: sampleText }]);
  await press("Exit");
  expect(control("Go to Dualect").getAttribute("href")).toBe("/");
  await press("Core");
  expect(isChecked("Word (editable)")).toBe(true);
  await press("Personal");
  expect((control("Role") as HTMLInputElement).value).toBe("Student");
  await press("中文");
  await pass(0);
  await waitFor(() => expect(getTitle(1)).toBe("设置"));
});
