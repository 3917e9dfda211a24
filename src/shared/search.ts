import * as z from "zod/mini";
import { uuid } from "./lecture.ts";

/** A text in pieces: those at odd indexes are what the query matched. The first one may be empty. */
const markedText = z.array(z.string());
export type MarkedText = z.infer<typeof markedText>;

/** The place of a lecture that fits best. Texts but the title are cut to 500 characters. */
const searchHit = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("title") }),
  z.object({ kind: z.literal("summary"), text: markedText }),
  /** A text that came without alignment. */
  z.object({ kind: z.literal("text"), text: markedText }),
  /** A row of the transcript: `position` is its place, `startMs` its moment on the recording's clock. */
  z.object({
    kind: z.literal("entry"),
    position: z.int(),
    startMs: z.int(),
    english: markedText,
    translated: markedText,
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
      hit: searchHit,
    }),
  ),
  /** A page with a next one may be shorter than others, or empty. */
  nextCursor: z.nullable(z.string()),
});
export type SearchPage = z.infer<typeof searchPage>;
