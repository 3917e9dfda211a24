import { expect, test } from "vitest";
import { formerLecture, formerSearch, formerShareMessage } from "#tests/fixtures/former-wire.ts";
import { openShare, shareLecture } from "#tests/worker/sharing/support.ts";
import { fromOwnPage, openSignedIn } from "#tests/worker/support/browser.ts";

/** Calls as a page of the version before: without a word about names. */
async function openFormerPage() {
  const { browser, trpc } = await openSignedIn();
  const read = async (response: Response) => {
    const body = (await response.json()) as { result?: { data: unknown } };
    if (!body.result) throw new Error(JSON.stringify(body));
    return body.result.data;
  };
  return {
    trpc,
    query: async (path: string, input: object) =>
      read(await browser.fetch(`/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`)),
    mutate: async (path: string, input: object) =>
      read(
        await browser.fetch(`/trpc/${path}`, {
          method: "POST",
          headers: { ...fromOwnPage, "content-type": "application/json" },
          body: JSON.stringify(input),
        }),
      ),
  };
}

test("a page of the version before saves, opens and searches a lecture", async () => {
  const page = await openFormerPage();
  const id = crypto.randomUUID();
  await page.mutate("lectures.create", { id, title: "Optics", targetLanguage: "fr" });
  const entry = {
    english: "Light is a wave.",
    translated: "La lumière.",
    translatedInto: "fr",
    translatedByHand: false,
    speaker: "1",
    startMs: 0,
    endMs: 900,
    revision: 1,
  };
  await page.mutate("lectures.appendEntries", { lectureId: id, from: 0, entries: [entry] });
  const lecture = formerLecture.parse(await page.query("lectures.get", { id }));
  expect(lecture.entries).toEqual([{ ...entry, spokenIn: "en" }]);
  expect(lecture.combinedContent?.[0]?.english).toBe("Light is a wave.");
  const [found] = formerSearch.parse(
    await page.query("lectures.search", { query: "waves" }),
  ).results;
  expect(found?.hit).toMatchObject({ english: ["Light is a ", "wave", "."] });
  // A page of this version has the same lecture in its names.
  const { entries } = await page.trpc.lectures.get.query({ id });
  expect(entries[0]).toMatchObject({ original: "Light is a wave.", spokenIn: "en" });
  expect(entries[0]).not.toHaveProperty("english");
});

test("a reader of the version before reads along with others of this one", async () => {
  const { code, addRow } = await shareLecture();
  const { webSocket } = await openShare({ code, names: "", language: "fr" });
  const rows = new Map<number, string>();
  webSocket?.accept();
  webSocket?.addEventListener("message", ({ data }) => {
    const message = formerShareMessage.parse(JSON.parse(String(data)));
    if (message.type !== "snapshot" && message.type !== "delta") return;
    for (const { position, english } of message.rows ?? []) rows.set(position, english);
  });
  await expect
    .poll(() => [...rows.values()])
    .toEqual(["Light is a wave.", "It is also a particle."]);
  await addRow("And both.", 2);
  await expect.poll(() => rows.get(2)).toBe("And both.");
});
