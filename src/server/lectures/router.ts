import * as z from "zod/mini";
import type { SessionUser } from "../../shared/account.ts";
import { AppError } from "../../shared/errors.ts";
import {
  appendEntriesInput,
  changeLectureInput,
  createLectureInput,
  type Lecture,
  type LectureListItem,
  lectureTitle,
  uuid,
} from "../../shared/lecture.ts";
import { lecturePageSize } from "../../shared/limits.ts";
import type { Database } from "../database.ts";
import { nameFilter } from "../page-cursor.ts";
import type { Clock } from "../ports.ts";
import { router, userProcedure } from "../trpc.ts";
import { appendEntries } from "./append.ts";
import { decodeCursor } from "./cursor.ts";
import { listLectures } from "./list.ts";
import {
  changeLecture,
  createLecture,
  type LectureChange,
  readLecture,
  readListItem,
} from "./queries.ts";

/** A call about one lecture of the caller's own; `not_found` for any other. */
const lectureProcedure = userProcedure.input(z.object({ id: uuid }));

interface Caller {
  db: Database;
  clock: Clock;
  user: SessionUser;
}

const change = (ctx: Caller, id: string, what: LectureChange) =>
  changeLecture(ctx.db, { userId: ctx.user.id, id }, { ...what, updatedAt: ctx.clock.now() });

export const lecturesRouter = router({
  create: userProcedure
    .input(createLectureInput)
    .mutation(
      ({ ctx, input }): Promise<LectureListItem> =>
        createLecture(ctx.db, { ...input, userId: ctx.user.id, now: ctx.clock.now() }),
    ),

  list: userProcedure
    .input(
      z.object({
        cursor: z.nullish(z.string().check(z.maxLength(64))),
        limit: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
        /** Null: lectures in no folder; without it all. */
        folderId: z.optional(z.nullable(uuid)),
        title: nameFilter,
      }),
    )
    .query(async ({ ctx, input }) => {
      const cursor = input.cursor ? decodeCursor(input.cursor) : null;
      if (input.cursor && !cursor) throw new AppError("validation_failed", { detail: "cursor" });
      return listLectures(ctx.db, {
        userId: ctx.user.id,
        cursor,
        limit: input.limit ?? lecturePageSize,
        folderId: input.folderId,
        title: input.title,
      });
    }),

  get: lectureProcedure.query(async ({ ctx, input }): Promise<Lecture> => {
    const lecture = await readLecture(ctx.db, { userId: ctx.user.id, id: input.id });
    if (!lecture) throw new AppError("not_found");
    return lecture;
  }),

  /** As the list has it, without its texts: where it lies, what it is called. */
  item: lectureProcedure.query(async ({ ctx, input }): Promise<LectureListItem> => {
    const item = await readListItem(ctx.db, { userId: ctx.user.id, id: input.id });
    if (!item) throw new AppError("not_found");
    return item;
  }),

  appendEntries: userProcedure
    .input(appendEntriesInput)
    .mutation(({ ctx, input }) =>
      appendEntries(ctx.db, { ...input, userId: ctx.user.id, now: ctx.clock.now() }),
    ),

  /** What is saved as it changes: language, summary, context, names of speakers. */
  change: userProcedure
    .input(changeLectureInput)
    .mutation(({ ctx, input: { id, ...what } }) => change(ctx, id, what)),

  rename: lectureProcedure
    .input(z.object({ title: lectureTitle }))
    .mutation(({ ctx, input: { id, title } }) => change(ctx, id, { title })),

  /** Save: the lecture is no draft any more. */
  complete: lectureProcedure
    .input(z.object({ title: lectureTitle }))
    .mutation(({ ctx, input: { id, title } }) => change(ctx, id, { title, status: "completed" })),
});
