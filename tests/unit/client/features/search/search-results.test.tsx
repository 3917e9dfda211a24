// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import SearchResults from "#client/features/search/search-results.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import type { SearchHit, SearchPage } from "#shared/search.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { find, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { waitUntil } from "#tests/unit/client/kit/wait-for.ts";

beforeEach(() => Promise.all([showLanguage("en"), libraryMessages.load()]));

async function search(answer: (cursor: string | null) => SearchPage | Refusal) {
  fakeServer({
    "lectures.search": ({ cursor = null }: { cursor?: string | null }) => answer(cursor),
  });
  await showLibrary(<SearchResults query=" bent wave " folderId="a" />);
}

const result = (title: string, hit: SearchHit): SearchPage["results"][number] => ({
  lectureId: title,
  title: [title],
  folderId: null,
  hit,
  createdAt: "2026-11-20T09:00:00.000Z",
  hasDemoText: false,
});

test.each<[string, SearchHit, RegExp, string]>([
  [
    "a sentence",
    { kind: "entry", position: 7, startMs: 61_000, original: ["A ", "bent"], translated: [] },
    /Transcript\s*1:01/,
    "row=7",
  ],
  ["a summary", { kind: "summary", text: ["A ", "bent"] }, /Summary/, "part=summary"],
])("links to %s, with the matches marked", async (_name, hit, label, place) => {
  await search(() => ({ results: [result("Optics", hit)], nextCursor: null }));
  const link = await find("h2 a", "Optics");
  const address = link.getAttribute("href") ?? "";
  for (const part of ["lecture=Optics", "q=bent", "folder=a", place])
    expect(address).toContain(part);
  const article = document.querySelector("article");
  expect(article?.textContent).toMatch(label);
  expect(article?.querySelector("mark")?.textContent).toBe("bent");
  await waitForText("1 lecture found");
});

test("typesets formulas, also where words were found in them", async () => {
  const hit: SearchHit = { kind: "summary", text: ["Here $", "bent", " = x^2$ holds, and $y_1$."] };
  await search(() => ({ results: [result("Optics", hit)], nextCursor: null }));
  await waitUntil(() => document.querySelectorAll("math").length === 2);
  expect(document.querySelectorAll("mark math")).toHaveLength(1);
});

test("loads page by page, past an empty one, and counts at the end", async () => {
  const hit: SearchHit = { kind: "title" };
  await search((cursor) => {
    if (cursor === null) return { results: [], nextCursor: "2" };
    if (cursor === "2") return { results: [result("One", hit)], nextCursor: "3" };
    return { results: [result("Two", hit)], nextCursor: null };
  });
  await waitForText("2 lectures found");
  expect([...document.querySelectorAll("h2")].map((one) => one.textContent)).toEqual([
    "One",
    "Two",
  ]);
  expect(document.querySelector("li")?.getAttribute("aria-setsize")).toBe("2");
});

test("says when nothing is found", async () => {
  await search(() => ({ results: [], nextCursor: null }));
  await waitForText("Nothing found for “bent wave”");
});

test("says when it failed", async () => {
  await search(() => new Refusal("validation_failed"));
  await waitForText("Search failed");
});
