import * as z from "zod/mini";
import { spokenLanguages, translationLanguages } from "./languages.ts";
import { uuid } from "./lecture.ts";

/** A text in pieces; those at odd indexes match the query. The first piece may be empty. */
const markedText = z.array(z.string());
export type MarkedText = z.infer<typeof markedText>;

/** The best match within a lecture. All texts except the title are cut to 500 characters. */
const searchHit = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("title") }),
  z.object({ kind: z.literal("summary"), text: markedText }),
  /** The text of a lecture without entries. */
  z.object({ kind: z.literal("text"), text: markedText }),
  /** A note; `startMs` is its time, and `position` that of its row. */
  z.object({ kind: z.literal("note"), position: z.int(), startMs: z.int(), text: markedText }),
  /** A line of a slide; `startMs` and `position` are those of its row. */
  z.object({ kind: z.literal("slide"), position: z.int(), startMs: z.int(), text: markedText }),
  /** A row of the transcript; `startMs` is a time on the lecture's clock. Servers before 2026-11-25 name no language. */
  z.object({
    kind: z.literal("entry"),
    position: z.int(),
    startMs: z.int(),
    original: markedText,
    spokenIn: z.exactOptional(z.enum(spokenLanguages)),
    translated: markedText,
    translatedInto: z.exactOptional(z.enum(translationLanguages)),
  }),
]);
export type SearchHit = z.infer<typeof searchHit>;

export const searchPage = z.object({
  results: z.array(
    z.object({
      lectureId: uuid,
      title: markedText,
      folderId: z.nullable(uuid),
      /** ISO 8601. */
      createdAt: z.string(),
      hasDemoText: z.boolean(),
      hit: searchHit,
    }),
  ),
  /** Null on the last page. Other pages may be short or empty. */
  nextCursor: z.nullable(z.string()),
});
export type SearchPage = z.infer<typeof searchPage>;
