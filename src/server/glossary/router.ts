import * as z from "zod/mini";
import { countWrites, router, userProcedure } from "#server/trpc.ts";
import { storedText } from "#shared/fields.ts";
import { type TermChange, termOrigins } from "#shared/glossary.ts";
import { spokenLanguages, translationLanguages } from "#shared/languages.ts";
import { uuid } from "#shared/lecture.ts";
import {
  glossaryTermsMax,
  termMaxLength,
  termNoteMaxLength,
  termOriginMaxLength,
  termsPerChangeMax,
  termTranslationMaxLength,
  termTranslationsMax,
} from "#shared/limits.ts";
import { changeGlossary, readGlossary } from "./queries.ts";

/** Without line breaks and tabs, which separate the cells of a table. */
const line = (maxLength: number) => storedText(maxLength).check(z.trim(), z.regex(/^[^\n\r\t]*$/));

const termChange: z.ZodMiniType<TermChange> = z.union([
  z.object({ id: uuid, isDeleted: z.literal(true) }),
  z.object({
    id: uuid,
    language: z.exactOptional(z.enum(spokenLanguages)),
    term: z.exactOptional(line(termMaxLength).check(z.minLength(1))),
    translations: z.exactOptional(
      z
        .partialRecord(
          z.enum(translationLanguages),
          z.nullable(line(termTranslationMaxLength).check(z.minLength(1))),
        )
        .check(z.refine((texts) => Object.keys(texts).length <= termTranslationsMax)),
    ),
    note: z.exactOptional(storedText(termNoteMaxLength).check(z.trim())),
    origin: z.exactOptional(
      z.object({ kind: z.enum(termOrigins), name: line(termOriginMaxLength) }),
    ),
    position: z.exactOptional(z.int32().check(z.nonnegative(), z.maximum(100 * glossaryTermsMax))),
    isLeftOut: z.exactOptional(z.boolean()),
  }),
]);

export const glossaryRouter = router({
  /** The terms of a folder and of those above it; null: those of the whole library. */
  get: userProcedure
    .input(z.object({ folderId: z.nullable(uuid) }))
    .query(({ ctx, input }) => readGlossary(ctx.db, { ...input, ...ctx.caller })),

  /** Adds, changes and deletes terms of a folder. The browser chooses ids, so that a repeated call adds a term once. */
  change: userProcedure
    .input(
      z.object({
        folderId: z.nullable(uuid),
        changes: z.array(termChange).check(z.minLength(1), z.maxLength(termsPerChangeMax)),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      await countWrites(ctx, JSON.stringify(input.changes).length);
      await changeGlossary(ctx.db, { ...input, ...ctx.caller });
    }),
});
