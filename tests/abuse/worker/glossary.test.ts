import { env, SELF } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { measureIndexes } from "#server/glossary/find-agreed-terms.ts";
import { glossaryTermsMax } from "#shared/limits.ts";
import { readPieces } from "#tests/fixtures/read-pieces.ts";
import { storeLecture } from "#tests/worker/ai/support.ts";
import { ReaderPage, shareLecture } from "#tests/worker/sharing/support.ts";
import { openSignedIn, origin } from "#tests/worker/support/browser.ts";
import { waitForWindow } from "#tests/worker/support/limits.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);
const beginning = "a b c d e f g h ";
const textLength = 40_000;
const hostileText = (length: number) => beginning.repeat(length / beginning.length).trim();
/** For each letter of the terms and of a text. */
const stepsPerLetter = 25;
const termLetters = glossaryTermsMax * (beginning.length + 5);

/** As many terms as an account may have, which begin with the same words. */
const addHostileTerms = (userId: string) =>
  db.execute(sql`
    insert into glossary_terms (id, user_id, folder_id, language, term, key, translations, origin_kind, position)
    select gen_random_uuid(), ${userId}::uuid, null, 'en', ${beginning} || n, ${beginning} || n,
      '{"fr": "terme", "de": "Begriff"}', 'person', n
    from generate_series(1, ${glossaryTermsMax}::int) n`);

it("a glossary of terms with one beginning and ten summaries in a row keep nobody waiting", async () => {
  const { trpc, user } = await openSignedIn();
  const input = {
    lectureId: await storeLecture(trpc, hostileText(textLength)),
    targetLanguage: "fr",
  } as const;
  await addHostileTerms(user.id);
  await waitForWindow(30);
  const log: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const summary = trpc.ai.summarize
      .mutate(input)
      .then(readPieces)
      .then(({ failure }) => log.push(failure === null ? "summary" : `failure ${failure}`));
    const others = Array.from({ length: 3 }, async () => {
      const answer = await SELF.fetch(`${origin}/api/health`);
      log.push(`health ${answer.status}`);
    });
    await Promise.all([summary, ...others]);
  }
  const health = Array(3).fill("health 200");
  expect(log).toEqual(
    Array(10)
      .fill([...health, "summary"])
      .flat(),
  );
  const { count, steps } = measureIndexes(user.id);
  expect(count).toBe(1);
  expect(steps).toBeLessThan(stepsPerLetter * (termLetters + 10 * textLength));
});

it("and neither does a share with one reader", async () => {
  const rowLength = 5_000;
  const texts = Array.from({ length: textLength / rowLength }, () => hostileText(rowLength));
  const { user, code } = await shareLecture({ texts });
  await addHostileTerms(user.id);
  const reader = await ReaderPage.open({ code, language: "de" });
  await expect
    .poll(() => reader.translations.filter((one) => one !== null), { timeout: 30_000 })
    .toHaveLength(texts.length);
  const answer = await SELF.fetch(`${origin}/api/health`);
  expect(answer.status).toBe(200);
  const { count, steps } = measureIndexes(user.id);
  expect(count).toBe(1);
  expect(steps).toBeLessThan(stepsPerLetter * (termLetters + 2 * textLength));
  reader.socket.close();
});
