import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Source } from "#server/sharing/room/events.ts";
import { unreadMaxBytes } from "#server/unread.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { type Page, ShareWorld } from "./share-world.ts";

interface Act {
  name: string;
  run(world: ShareWorld): void;
}

/** An act that happens `weight` times as often as one of weight 1, with a number of its own. */
const act = (weight: number, name: string, run: (world: ShareWorld, at: number) => void) => ({
  weight,
  arbitrary: fc.nat(1_000).map<Act>((at) => ({
    name: `${name} ${at}`,
    run: (world) => run(world, at),
  })),
});
const languages: TargetLanguage[] = ["none", "fr", "de", "ja"];
const language = (at: number) => languages[at % languages.length] ?? "none";
const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % items.length];
/** An act with one of the readers' pages. */
const pageAct = (
  weight: number,
  name: string,
  run: (world: ShareWorld, page: Page, at: number) => void,
) =>
  act(weight, name, (world, at) => {
    const page = pick(world.pages, at);
    if (page) run(world, page, Math.floor(at / world.pages.length));
  });
/** An act with one of the rows. */
const rowAct = (weight: number, name: string, run: (world: ShareWorld, row: number) => void) =>
  act(weight, name, (world, at) => {
    const row = pick(world.rows, at);
    if (row) run(world, row.position);
  });
const toFrench = (world: ShareWorld) =>
  ({ translated: world.newText(), translatedInto: "fr" }) as const;

const acts = fc.oneof(
  act(8, "append", (world) => world.append()),
  act(3, "append translated", (world) => world.append(toFrench(world))),
  act(2, "append a long row", (world) =>
    world.append({ original: `${world.newText()} ${"word ".repeat(8_000)}` }),
  ),
  act(3, "append in another language", (world, at) =>
    world.append({ spokenIn: at % 2 ? "de" : "ja" }),
  ),
  act(2, "append without a report", (world) => world.append({}, false)),
  rowAct(3, "correct", (world, row) => world.change(row, { original: world.newText() })),
  rowAct(3, "translate", (world, row) => world.change(row, toFrench(world))),
  rowAct(1, "correct without a report", (world, row) =>
    world.change(row, { original: world.newText() }, false),
  ),
  rowAct(2, "insert", (world, row) => world.insert(row)),
  act(3, "speak", (world, at) =>
    world.speak({
      finals: at % 2 ? [{ text: ` word${at}`, is_final: true, start_ms: at, end_ms: at + 5 }] : [],
      interim: [{ text: ` maybe${at}`, is_final: false, start_ms: at + 5, end_ms: at + 9 }],
    }),
  ),
  act(4, "join", (world, at) => void (world.pages.length < 6 && world.join(language(at)))),
  pageAct(3, "drop", (world, page) => world.drop(page)),
  pageAct(4, "connect", (world, page) => page.readerId === null && world.connect(page)),
  pageAct(2, "choose", (world, page, at) => world.choose(page, language(at))),
  pageAct(6, "deliver", (world, page, at) => world.deliver(page, 1 + (at % 4))),
  act(8, "answer read", (world) => world.answerRead()),
  act(1, "fail read", (world) => world.answerRead(false)),
  act(4, "answer translations", (world) => world.answerTranslationRead()),
  act(1, "fail translations", (world) => world.answerTranslationRead(false)),
  act(6, "answer job", (world) => world.answerJob()),
  act(1, "fail job", (world) => world.answerJob("rate_limited")),
  act(6, "wait", (world, at) => world.wait(at)),
  act(2, "evict", (world) => world.evict()),
);

/** Probes are not counted. */
const unreadBound = unreadMaxBytes + 1_024;

const lecture = fc.constantFrom<Partial<Source>[]>(
  {},
  { sourceLanguage: "de", isTwoWay: true },
  { sourceLanguage: "detect" },
);

test("gives every reader every row once and in order, over drops, evictions and lost reports", () => {
  fc.assert(
    fc.property(fc.array(acts, { maxLength: 80, size: "max" }), lecture, (script, source) => {
      const world = new ShareWorld(source);
      for (const { run } of script) {
        run(world);
        for (const page of world.pages) expect(page.unreadBytes).toBeLessThan(unreadBound);
      }
      for (const page of world.pages) if (page.readerId === null) world.connect(page);
      // A report that was lost is made up for by the next look at the share.
      world.send({ type: "changed", rows: { from: 0, to: null } });
      world.settle();
      for (const { sourceLanguage, language } of world.calls)
        expect(language).not.toBe(sourceLanguage);
      for (const page of world.pages) {
        if (page.view?.end !== null) {
          // Only a reader that changed its language too often is closed.
          expect(page.view?.end).toBe("rate_limited");
          continue;
        }
        expect(page.texts).toEqual(world.rows.map(({ original }) => original));
        expect(page.view.isLanguageRefused).toBe(false);
        expect(page.view.language).toBe(page.language);
        expect(page.translations).toEqual(world.expectTranslations(page.language));
        expect(page.view.live).toEqual(world.state.live);
      }
    }),
    { numRuns: countRuns(400) },
  );
});
