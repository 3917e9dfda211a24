import * as z from "zod/mini";
import type { Database } from "#server/database.ts";
import { cursorInput, nameFilter } from "#server/page-cursor.ts";
import type { Clock } from "#server/ports.ts";
import { searchLectures } from "#server/search/search.ts";
import { deleteForCaller } from "#server/trash/delete-for-caller.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import { countWrites } from "#server/write-limit.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import {
  appendEntriesInput,
  changeLectureInput,
  createLectureInput,
  entryPositionMax,
  type LectureListItem,
  type LecturePage,
  lectureTitle,
  type TranscriptEntry,
  uuid,
} from "#shared/lecture.ts";
import { lecturePageSize, searchQueryMaxLength } from "#shared/limits.ts";
import { type SearchPage, searchPage } from "#shared/search.ts";
import { storedText } from "#shared/stored-text.ts";
import { type Deletion, deleteAllInput } from "#shared/trash.ts";
import { appendEntries } from "./append.ts";
import { listLectures } from "./list.ts";
import { moveLecture } from "./move.ts";
import { readLecturePage } from "./page.ts";
import { changeLecture, createLecture, type LectureChange, readListItem } from "./queries.ts";

/** A call about one lecture of the caller's own; `not_found` for any other. */
const lectureProcedure = userProcedure.input(z.object({ id: uuid }));
const lectureWrite = writeProcedure.input(z.object({ id: uuid }));

interface Caller {
  db: Database;
  clock: Clock;
  user: SessionUser;
}

/**
 * Text of an answer that counts as one more call of the account's, in UTF-16 units. A lecture of 12 hours
 * has about 2 million, and leaves two thirds of a burst to its page.
 */
const charactersPerCall = 128 * 1024;

const countCharacters = (entries: readonly TranscriptEntry[]) =>
  entries.reduce((sum, { english, translated }) => sum + english.length + translated.length, 0);

const applyChange = (ctx: Caller, id: string, what: LectureChange) =>
  changeLecture(ctx.db, { userId: ctx.user.id, id }, { ...what, updatedAt: ctx.clock.now() });

export const lecturesRouter = router({
  create: writeProcedure
    .input(createLectureInput)
    .mutation(
      ({ ctx, input }): Promise<LectureListItem> =>
        createLecture(ctx.db, { ...input, userId: ctx.user.id, now: ctx.clock.now() }),
    ),

  list: userProcedure
    .input(
      z.object({
        cursor: cursorInput,
        limit: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
        /** Null: lectures in no folder; without it all. */
        folderId: z.optional(z.nullable(uuid)),
        title: nameFilter,
      }),
    )
    .query(({ ctx, input }) =>
      listLectures(ctx.db, {
        userId: ctx.user.id,
        cursor: input.cursor ?? null,
        limit: input.limit ?? lecturePageSize,
        folderId: input.folderId,
        title: input.title,
      }),
    ),

  /** A lecture, in pages where it is longer than one answer carries. */
  get: lectureProcedure
    .input(
      z.object({
        cursor: z.nullish(z.int().check(z.nonnegative(), z.maximum(entryPositionMax))),
        /** False: without the texts that are put together from the entries. */
        texts: z.optional(z.boolean()),
      }),
    )
    .query(async ({ ctx, input }): Promise<LecturePage> => {
      const page = await readLecturePage(ctx.db, {
        userId: ctx.user.id,
        id: input.id,
        from: input.cursor ?? 0,
        texts: input.texts ?? true,
        budget: ctx.answerBudget,
      });
      ctx.accountCalls.addCalls(
        ctx.user.id,
        Math.floor(countCharacters(page.entries) / charactersPerCall),
      );
      return page;
    }),

  /** As the list has it, without its texts: where it lies, what it is called. */
  item: lectureProcedure.query(async ({ ctx, input }): Promise<LectureListItem> => {
    const item = await readListItem(ctx.db, { userId: ctx.user.id, id: input.id });
    if (!item) throw new AppError("not_found");
    return item;
  }),

  appendEntries: userProcedure.input(appendEntriesInput).mutation(async ({ ctx, input }) => {
    await countWrites(ctx, countCharacters(input.entries));
    return appendEntries(ctx.db, { ...input, userId: ctx.user.id, now: ctx.clock.now() });
  }),

  /** What is saved as it changes: language, summary, context, names of speakers. */
  change: writeProcedure
    .input(changeLectureInput)
    .mutation(({ ctx, input: { id, ...what } }) => applyChange(ctx, id, what)),

  rename: lectureWrite
    .input(z.object({ title: lectureTitle }))
    .mutation(({ ctx, input: { id, title } }) => applyChange(ctx, id, { title })),

  /** Save: the lecture is no draft any more. */
  complete: lectureWrite
    .input(z.object({ title: lectureTitle }))
    .mutation(({ ctx, input: { id, title } }) =>
      applyChange(ctx, id, { title, status: "completed" }),
    ),

  move: lectureWrite
    .input(z.object({ folderId: z.nullable(uuid) }))
    .mutation(({ ctx, input }) =>
      moveLecture(ctx.db, { ...input, userId: ctx.user.id, now: ctx.clock.now() }),
    ),

  /** To the trash, where it stays for 30 days. */
  delete: lectureWrite.mutation(
    ({ ctx, input: { id } }): Promise<Deletion> => deleteForCaller(ctx, { kind: "lecture", id }),
  ),

  /** All of the caller's lectures, to the trash; folders stay. */
  deleteAll: writeProcedure
    .input(deleteAllInput)
    .mutation(({ ctx }): Promise<Deletion> => deleteForCaller(ctx, { kind: "all_lectures" })),

  /** Full text: titles, transcripts, translations and summaries, best first; of one lecture, if it is named. */
  search: userProcedure
    .input(
      z.object({
        query: storedText(searchQueryMaxLength),
        lectureId: z.optional(uuid),
        cursor: cursorInput,
      }),
    )
    .output(searchPage)
    .query(
      ({ ctx, input }): Promise<SearchPage> =>
        searchLectures(ctx.db, {
          userId: ctx.user.id,
          query: input.query,
          lectureId: input.lectureId,
          cursor: input.cursor ?? null,
          clock: ctx.clock,
        }),
    ),
});
