import * as z from "zod/mini";
import { defaultSourceLanguage, spokenLanguages } from "#shared/languages.ts";
import { translateTextMaxLength } from "#shared/limits.ts";

/** What several calls of the model take. */

export const spokenText = z.string().check(z.trim(), z.minLength(1));
/** A sentence that was said, or its translation. */
export const sentenceText = spokenText.check(z.maxLength(translateTextMaxLength));
/** Pages of the version before send none. */
export const spokenIn = z._default(z.enum(spokenLanguages), defaultSourceLanguage);
