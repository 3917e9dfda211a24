import * as z from "zod/mini";
import { AppError } from "../../shared/errors.ts";
import { targetLanguages, translationLanguages } from "../../shared/languages.ts";
import {
  contextMaxLength,
  contextTextMaxLength,
  summaryTextMaxLength,
  translateTextMaxLength,
} from "../../shared/limits.ts";
import type { RateLimiter } from "../ports.ts";
import { guestProcedure, router, userProcedure } from "../trpc.ts";
import { contextPrompt, readContext } from "./lecture-context.ts";
import { summarise } from "./summarise.ts";
import { readTranslation, translationPrompt } from "./translation.ts";

const said = z.string().check(z.trim(), z.minLength(1));

const translateInput = z.object({
  text: said.check(z.maxLength(translateTextMaxLength)),
  targetLanguage: z.enum(translationLanguages),
  /** What was said before, as the specification sends it: `Previous context: …`, or empty. */
  context: z.string().check(z.maxLength(contextMaxLength)),
  /** The lecture's Context field, or empty. */
  wordContext: z.string().check(z.maxLength(contextMaxLength)),
});

const count = async (limiter: RateLimiter, caller: string) => {
  if (!(await limiter.allow(caller))) throw new AppError("rate_limited", { retryAfterSeconds: 60 });
};

export const aiRouter = router({
  translate: guestProcedure
    .input(translateInput)
    .mutation(async ({ ctx, input, signal }): Promise<{ translatedText: string }> => {
      await count(ctx.limits.translations, ctx.caller);
      const answer = await ctx.llm.complete({
        ...translationPrompt(input),
        ...(signal ? { signal } : {}),
      });
      return { translatedText: readTranslation(answer, input) };
    }),

  /** What a lecture is about, in a few words, from its beginning. */
  context: guestProcedure
    .input(z.object({ text: said.check(z.maxLength(contextTextMaxLength)) }))
    .mutation(async ({ ctx, input, signal }): Promise<{ context: string }> => {
      await count(ctx.limits.contexts, ctx.caller);
      const answer = await ctx.llm.complete({
        ...contextPrompt(input.text),
        ...(signal ? { signal } : {}),
      });
      return { context: readContext(answer) };
    }),

  /**
   * The summary in pieces of Markdown. They are one only when the last has come: an error after the
   * first piece means that there is no summary.
   */
  summarize: userProcedure
    .input(z.object({ text: said, targetLanguage: z.enum(targetLanguages) }))
    .mutation(async ({ ctx, input, signal }): Promise<AsyncGenerator<string>> => {
      if (input.text.length > summaryTextMaxLength) throw new AppError("payload_too_large");
      await count(ctx.limits.summaries, `user:${ctx.user.id}`);
      return summarise(ctx.llm, { ...input, signal });
    }),
});
