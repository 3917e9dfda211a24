import type { RecordedTake } from "#shared/recorded-take.ts";
import { createAddress, password } from "#tests/e2e/support/journey.ts";
import { replaceMicrophone, toMicrophone } from "#tests/e2e/support/microphone.ts";
import type { LectureFixture } from "#tests/fixtures/lecture.ts";
import { until } from "./driver.ts";
import type { Target } from "./in-page.ts";
import type { BrowserPage } from "./page.ts";

export const button = (name: string, within?: Target): Target => ({
  css: "button",
  name,
  ...(within && { within }),
});
export const heading = (name: string): Target => ({ css: "h1, h2, h3", name });
export const dialog = (name?: string): Target => ({
  css: "[role=dialog]",
  ...(name !== undefined && { name }),
});
export const field = (name: string, within?: Target): Target => ({
  css: "input, textarea",
  name,
  ...(within && { within }),
});
export const link = (name: string): Target => ({ css: "a", name });
export const region = (name: string): Target => ({ css: "section, [role=region]", name });
export const row = (index: number, text?: string): Target => ({
  css: `[data-row="${index}"]`,
  ...(text !== undefined && { text }),
});

/** Creates an account without the form; ends on `path`. */
export async function signUp(page: BrowserPage, path = "/"): Promise<void> {
  await page.goto("/auth");
  await page.callProcedure("auth.signUp", { email: createAddress(), password });
  await page.goto(path);
}

/** Gives the page that is open a microphone that plays `sound`, besides the browser's own, which is opened as well. */
export const installSound = (
  page: BrowserPage,
  sound: LectureFixture & { isEndless?: boolean },
): Promise<void> => page.call(replaceMicrophone, { ...toMicrophone(sound), isOpened: true });

export const controls = region("Recording controls");

/** The rows of the transcript: what was said, and its translation. */
const readRows = (page: BrowserPage) =>
  page.call(() =>
    [...document.querySelectorAll<HTMLElement>("[data-row]")].map((row) => {
      const [original, translated] = ['[lang="en"]', '[lang]:not([lang="en"], [aria-busy])'].map(
        (language) => row.querySelector(`p${language}`)?.textContent ?? null,
      );
      return { original: original?.replace(/^\[S\d+\]/, "").trim(), translated };
    }),
  );

/** Waits until the page shows what was said, row by row, and nothing else; and its translations where they are given. */
export async function waitForRows(
  page: BrowserPage,
  expected: readonly { original: string; translated?: string }[],
): Promise<void> {
  const wanted = JSON.stringify(expected);
  const hasTranslations = expected.some(({ translated }) => translated !== undefined);
  let shown = "";
  await until("the rows", async () => {
    const rows = await readRows(page);
    shown = JSON.stringify(hasTranslations ? rows : rows.map(({ original }) => ({ original })));
    return shown === wanted ? true : undefined;
  }).catch((error: unknown) => {
    throw new Error(`Rows:\n${shown}\nexpected:\n${wanted}`, { cause: error });
  });
}

/** The server has everything. */
export const waitUntilSaved = (page: BrowserPage): Promise<true> =>
  until("everything is saved", async () =>
    (await page.call(() => document.querySelector("[data-save-state=saved]") !== null))
      ? true
      : undefined,
  );

/** The page is served by the service worker from now on, without a network too. */
export const waitForServiceWorker = (page: BrowserPage): Promise<true> =>
  until("a service worker", async () =>
    (await page.call(() => navigator.serviceWorker.controller !== null)) ? true : undefined,
  );

/** The takes of the lecture on the page, as the server has them. Runs in the page. */
export async function listTakes(): Promise<RecordedTake[]> {
  const lectureId = new URL(location.href).searchParams.get("lecture");
  const input = encodeURIComponent(JSON.stringify({ lectureId }));
  const answer = await fetch(`/trpc/takes.list?input=${input}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).result.data.items;
}
