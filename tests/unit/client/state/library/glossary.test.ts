// @vitest-environment happy-dom
import fc from "fast-check";
import { expect, it } from "vitest";
import { applyChanges, invertChanges } from "#client/state/library/glossary.ts";
import type { Glossary, GlossaryTerm, TermChange } from "#shared/glossary.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const id = fc.constantFrom("a", "b", "c", "d");
const text = fc.string({ maxLength: 2 });
const language = fc.constantFrom("zh-cn" as const, "fr" as const);

const term: fc.Arbitrary<GlossaryTerm> = fc.record({
  id,
  folderId: fc.constant("folder"),
  language: fc.constant("en" as const),
  term: text,
  translations: fc.dictionary(language, text),
  note: text,
  position: fc.nat(9),
  origin: fc.constant({ kind: "person" as const, name: "" }),
  isLeftOut: fc.boolean(),
});

const change: fc.Arbitrary<TermChange> = fc.oneof(
  fc.record({ id, isDeleted: fc.constant(true as const) }),
  fc.record(
    { id, term: text, note: text, translations: fc.dictionary(language, fc.option(text)) },
    { requiredKeys: ["id"] },
  ),
);

it("undoes every change of a glossary", () => {
  const sort = ({ terms }: Glossary) => terms.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const byId = { selector: (one: { id: string }) => one.id };
  fc.assert(
    fc.property(fc.uniqueArray(term, byId), fc.uniqueArray(change, byId), (terms, changes) => {
      const before: Glossary = { folderIds: ["folder", null], terms };
      const after = applyChanges(before, "folder", changes);
      const undone = applyChanges(after, "folder", invertChanges(before, changes));
      expect(sort(undone)).toEqual(sort(before));
    }),
    { numRuns: countRuns(400) },
  );
});
