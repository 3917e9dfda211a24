import type { Page } from "@playwright/test";
import { type MessageKey, messages } from "./interface.ts";

/** The list of lectures on the home page, and the folders beside it. */

/** A row of the list. */
export const getLectureRow = (page: Page, title: string) =>
  page.getByRole("article").filter({ has: page.getByRole("link", { name: title, exact: true }) });

/** Chooses an entry of a row's menu. */
export async function chooseInRow(page: Page, title: string, entry: MessageKey): Promise<void> {
  const { en } = messages;
  await page.getByRole("button", { name: en["home.moreNamed"].replace("{title}", title) }).click();
  await page.getByRole("menuitem", { name: en[entry], exact: true }).click();
}

/** A folder in the column. */
export const getFolder = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Folders" }).getByRole("treeitem", { name, exact: true });

/** The entry of all lectures, with their number. */
export const getAllLectures = (page: Page, count: number) =>
  page
    .getByRole("navigation", { name: "Folders" })
    .getByRole("button", { name: `All Lectures ${count}`, exact: true });

export const openLecture = (page: Page, title: string) =>
  page.getByRole("main").getByRole("link", { name: title, exact: true }).click();
