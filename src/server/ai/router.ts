import * as z from "zod/mini";
import { AppError } from "../../shared/errors.ts";
import { translationLanguages } from "../../shared/languages.ts";
import { contextMaxLength, translateTextMaxLength } from "../../shared/limits.ts";
import { guestProcedure, router } from "../trpc.ts";
import { readTranslation, translationPrompt } from "./translation.ts";

const translateInput = z.object({
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(translateTextMaxLength)),
  targetLanguage: z.enum(translationLanguages),
  /** What was said before, as the specification sends it: `Previous context: …`, or empty. */
  context: z.string().check(z.maxLength(contextMaxLength)),
  /** The lecture's Context field, or empty. */
  wordContext: z.string().check(z.maxLength(contextMaxLength)),
});

export const aiRouter = router({
  translate: guestProcedure
    .input(translateInput)
    .mutation(async ({ ctx, input, signal }): Promise<{ translatedText: string }> => {
      if (!(await ctx.limits.translations.allow(ctx.caller)))
        throw new AppError("rate_limited", { retryAfterSeconds: 60 });
      const answer = await ctx.llm.complete({
        ...translationPrompt(input),
        ...(signal ? { signal } : {}),
      });
      return { translatedText: readTranslation(answer, input) };
    }),
});
