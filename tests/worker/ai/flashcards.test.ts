import { expect, test } from "vitest";
import { openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { failRequests, openPrompts, untilOpen } from "./support.ts";

const createItem = (id: string, sentence: string) => ({
  id,
  sentence,
  translated: "",
  before: "",
  after: "",
  note: "",
  term: null,
});

test("streams a card for each item, in the language that is asked for", async () => {
  const { trpc } = await openSignedIn();
  const items = [createItem("m0", "Light bends."), createItem("m1", "It bends back.")];
  const cards = [];
  for await (const card of await trpc.ai.flashcards.mutate({ items, language: "fr" }))
    cards.push(card);
  const mark = "〔Français·démonstration〕";
  expect(cards).toEqual([
    { id: "m0", question: `${mark} Light bends. …`, answer: `${mark} Light bends.` },
    { id: "m1", question: `${mark} It bends back. …`, answer: `${mark} It bends back.` },
  ]);
});

test("keeps the cards before a failure, and ends the model's work when the client leaves", async () => {
  const { trpc } = await openSignedIn();
  const ask = async (subject: string, fail: string, signal?: AbortSignal) => {
    await failRequests(subject, { fail });
    const items = ["m0", "m1"].map((id) => createItem(id, `Light bends in ${subject}.`));
    const input = { items, language: "fr" } as const;
    return (await trpc.ai.flashcards.mutate(input, { ...(signal && { signal }) }))[
      Symbol.asyncIterator
    ]();
  };
  const failing = await ask("broken prisms", "error");
  expect((await failing.next()).value).toMatchObject({ id: "m0" });
  expect(await getErrorCode(failing.next())).toBe("llm_failed");

  const hangUp = new AbortController();
  const stalled = await ask("slow prisms", "stall", hangUp.signal);
  expect((await stalled.next()).value).toMatchObject({ id: "m0" });
  expect(await openPrompts("slow prisms")).toBe(1);
  hangUp.abort();
  await untilOpen("slow prisms", 0);
});
