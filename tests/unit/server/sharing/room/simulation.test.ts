import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { TargetLanguage } from "#shared/languages.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { type Page, ShareWorld } from "./share-world.ts";

interface Act {
  name: string;
  run(world: ShareWorld): void;
}

const act = (weight: number, arbitrary: fc.Arbitrary<Act>) => ({ weight, arbitrary });
const once = (weight: number, name: string, run: Act["run"]) =>
  act(weight, fc.constant<Act>({ name, run }));
const any = (weight: number, name: string, run: (world: ShareWorld, at: number) => void) =>
  act(
    weight,
    fc.nat(1_000).map<Act>((at) => ({ name: `${name} ${at}`, run: (world) => run(world, at) })),
  );
const languages: TargetLanguage[] = ["none", "fr", "de", "ja"];
const language = (at: number) => languages[at % languages.length] ?? "none";
const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % items.length];
const withPage = (run: (world: ShareWorld, page: Page, at: number) => void) => {
  return (world: ShareWorld, at: number) => {
    const page = pick(world.pages, at);
    if (page) run(world, page, Math.floor(at / Math.max(1, world.pages.length)));
  };
};
const withRow = (run: (world: ShareWorld, position: number) => void) => {
  return (world: ShareWorld, at: number) => {
    const row = pick(world.rows, at);
    if (row) run(world, row.position);
  };
};

const acts = fc.oneof(
  once(8, "append", (world) => world.append()),
  once(3, "append translated", (world) =>
    world.append({ translated: world.newText(), translatedInto: "fr" }),
  ),
  once(2, "append without a report", (world) => world.append({}, false)),
  any(
    3,
    "correct",
    withRow((world, at) => world.change(at, { english: world.newText() })),
  ),
  any(
    3,
    "translate",
    withRow((world, at) => world.change(at, { translated: world.newText(), translatedInto: "fr" })),
  ),
  any(
    1,
    "correct without a report",
    withRow((world, at) => world.change(at, { english: world.newText() }, false)),
  ),
  any(
    2,
    "insert",
    withRow((world, at) => world.insert(at)),
  ),
  any(3, "speak", (world, at) =>
    world.speak({
      finals: at % 2 ? [{ text: ` word${at}`, is_final: true, start_ms: at, end_ms: at + 5 }] : [],
      interim: [{ text: ` maybe${at}`, is_final: false, start_ms: at + 5, end_ms: at + 9 }],
    }),
  ),
  any(4, "join", (world, at) => void (world.pages.length < 6 && world.join(language(at)))),
  any(
    3,
    "drop",
    withPage((world, page) => world.drop(page)),
  ),
  any(
    4,
    "connect",
    withPage((world, page) => page.readerId === null && world.connect(page)),
  ),
  any(
    2,
    "choose",
    withPage((world, page, at) => world.choose(page, language(at))),
  ),
  any(
    6,
    "deliver",
    withPage((world, page, at) => world.deliver(page, 1 + (at % 4))),
  ),
  once(8, "answer read", (world) => world.answerRead()),
  once(1, "fail read", (world) => world.answerRead(false)),
  once(4, "answer translations", (world) => world.answerTranslationRead()),
  once(1, "fail translations", (world) => world.answerTranslationRead(false)),
  once(6, "answer job", (world) => world.answerJob()),
  once(1, "fail job", (world) => world.answerJob("rate_limited")),
  any(6, "wait", (world, at) => world.wait(at)),
  once(2, "evict", (world) => world.evict()),
);

test("gives every reader every row once and in order, over drops, evictions and lost reports", () => {
  fc.assert(
    fc.property(fc.array(acts, { maxLength: 80, size: "max" }), (script) => {
      const world = new ShareWorld();
      for (const { run } of script) run(world);
      for (const page of world.pages) if (page.readerId === null) world.connect(page);
      // A report that was lost is made up for by the next look at the share.
      world.send({ type: "changed", rows: { from: 0, to: null } });
      world.settle();
      for (const page of world.pages) {
        if (page.view?.end !== null) {
          // Only a reader that changed its language too often is closed.
          expect(page.view?.end).toBe("rate_limited");
          continue;
        }
        expect(page.texts).toEqual(world.rows.map(({ english }) => english));
        expect(page.view.isLanguageRefused).toBe(false);
        expect(page.view.language).toBe(page.language);
        expect(page.translations).toEqual(world.expectTranslations(page.language));
        expect(page.view.live).toEqual(world.state.live);
      }
    }),
    { numRuns: countRuns(400) },
  );
});
