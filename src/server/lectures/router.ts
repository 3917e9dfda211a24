import * as z from "zod/mini";
import type { Context } from "#server/context.ts";
import { cursorInput, nameFilter } from "#server/page-cursor.ts";
import { correctAs } from "#server/people/access.ts";
import { sendWebhooksLater } from "#server/programs/send-webhooks.ts";
import { searchLectures } from "#server/search/search.ts";
import { notifyShare } from "#server/sharing/queries.ts";
import { deleteForCaller } from "#server/trash/delete-for-caller.ts";
import { countWrites, router, userProcedure, writeProcedure } from "#server/trpc.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { nonNegativeInt, storedText } from "#shared/fields.ts";
import {
  changeLectureInput,
  createLectureInput,
  entryPositionMax,
  lectureTitle,
  saveRowsInput,
  titleSources,
  uuid,
} from "#shared/lecture.ts";
import { lectureNamesMax, searchQueryMaxLength } from "#shared/limits.ts";
import { searchPage } from "#shared/search.ts";
import { deleteAllInput } from "#shared/trash.ts";
import { appendFormerRows, formerAppendInput } from "./former-rows.ts";
import { listLectures } from "./list.ts";
import { countCharacters, readLecturePage } from "./page.ts";
import {
  changeLecture,
  createLecture,
  type LectureChange,
  readLectureNames,
  readListItem,
  reportLectureChange,
  selectPersonsTitle,
} from "./queries.ts";
import { saveRows } from "./save-rows.ts";

const lectureProcedure = userProcedure.input(z.object({ id: uuid }));
const lectureWrite = writeProcedure.input(z.object({ id: uuid }));

async function applyChange(
  ctx: Context & { user: SessionUser },
  id: string,
  change: LectureChange,
  { isCompleted = false } = {},
): Promise<{ title: string }> {
  const key = { userId: ctx.user.id, id };
  const updatedAt = ctx.clock.now();
  const { title, shareId, audience } = await changeLecture(ctx.db, key, { ...change, updatedAt });
  notifyShare(ctx, shareId, { rows: null, isCompleted });
  reportLectureChange(ctx, id, audience);
  return { title };
}

export const lecturesRouter = router({
  create: writeProcedure
    .input(createLectureInput)
    .mutation(({ ctx, input }) => createLecture(ctx.db, { ...input, ...ctx.caller })),

  list: userProcedure
    .input(
      z.object({
        cursor: cursorInput,
        limit: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
        /** Null: lectures without a folder; undefined: all. */
        folderId: z.optional(z.nullable(uuid)),
        title: nameFilter,
      }),
    )
    .query(({ ctx, input }) => listLectures(ctx.db, { ...input, ...ctx.caller })),

  /** A lecture; a long one in pages. */
  get: userProcedure
    .input(
      z.object({
        id: uuid,
        cursor: z.nullish(z.int().check(z.nonnegative(), z.maximum(entryPositionMax))),
        /** False: without the texts that are joined from the entries. */
        texts: z.optional(z.boolean()),
        /** Only rows that were written after this `seq` of the lecture, and the ids of those that were deleted after it. */
        since: z.optional(nonNegativeInt),
      }),
    )
    .query(({ ctx, input: { id, cursor, texts = true, since } }) =>
      readLecturePage(ctx, { id, from: cursor ?? 0, texts, since }),
    ),

  /** The lecture as an item of the list, without its texts. */
  item: lectureProcedure.query(async ({ ctx, input }) => {
    const item = await readListItem(ctx.db, { userId: ctx.user.id, id: input.id });
    if (!item) throw new AppError("not_found");
    return item;
  }),

  /** Names of those of `ids` that exist, also in the trash, and whose they are: a page deletes what is not named. */
  names: userProcedure
    .input(z.object({ ids: z.array(uuid).check(z.maxLength(lectureNamesMax)) }))
    .query(async ({ ctx, input }) => {
      const names = readLectureNames(ctx.db, { ...input, ...ctx.caller });
      return { userId: ctx.user.id, lectures: await names };
    }),

  /** Writes rows and deletes others; says which of them another tab or device has changed meanwhile. */
  saveRows: userProcedure.input(saveRowsInput).mutation(async ({ ctx, input }) => {
    await countWrites(ctx, countCharacters(input.entries));
    const { now } = ctx.caller;
    const { saved, range, shareId, audience } = await correctAs(ctx, input.lectureId, (writer) =>
      saveRows(ctx.db, { ...input, ...writer, now }),
    );
    if (range) notifyShare(ctx, shareId, { rows: range });
    if (range || input.deleted.length > 0) reportLectureChange(ctx, input.lectureId, audience);
    return saved;
  }),

  /** The same for pages of the version before. */
  appendEntries: userProcedure.input(formerAppendInput).mutation(async ({ ctx, input }) => {
    await countWrites(ctx, countCharacters(input.entries));
    const { answer, range, shareId, audience } = await appendFormerRows(ctx.db, {
      ...input,
      ...ctx.caller,
    });
    if (range) notifyShare(ctx, shareId, { rows: range });
    if (range) reportLectureChange(ctx, input.lectureId, audience);
    return answer;
  }),

  /** Saves changed details: language, summary, context, speakers' names, action items, the demo's mark. */
  change: writeProcedure
    .input(changeLectureInput)
    .mutation(({ ctx, input: { id, ...change } }) => applyChange(ctx, id, change)),

  rename: lectureWrite
    .input(z.object({ title: lectureTitle }))
    .mutation(({ ctx, input: { id, title } }) =>
      applyChange(ctx, id, { title, titleSource: "person" }),
    ),

  /** Saves a draft under its title, in its folder. `conflict` if that folder is gone; nothing is changed then. */
  complete: lectureWrite
    .input(
      z.object({
        title: lectureTitle,
        /** Null: in no folder. Missing: where it is. */
        folderId: z.exactOptional(z.nullable(uuid)),
        /** One that is not the person's does not replace one that is. Missing: the person's. */
        titleSource: z.exactOptional(z.enum(titleSources)),
      }),
    )
    .mutation(async ({ ctx, input: { id, title, titleSource = "person", ...folder } }) => {
      const saved = await applyChange(
        ctx,
        id,
        {
          ...folder,
          title: titleSource === "person" ? title : selectPersonsTitle(title),
          titleSource: "person",
          status: "completed",
        },
        { isCompleted: true },
      );
      sendWebhooksLater(ctx, ctx.user.id);
      return saved;
    }),

  /** Null: out of its folder. `conflict` if the folder is gone. */
  move: lectureWrite
    .input(z.object({ folderId: z.nullable(uuid) }))
    .mutation(({ ctx, input: { id, folderId } }) => applyChange(ctx, id, { folderId })),

  /** Moves the lecture to the trash, where it stays for 30 days. */
  delete: lectureWrite.mutation(({ ctx, input: { id } }) =>
    deleteForCaller(ctx, { kind: "lecture", id }),
  ),

  /** Moves all lectures to the trash, but no folders. */
  deleteAll: writeProcedure
    .input(deleteAllInput)
    .mutation(({ ctx }) => deleteForCaller(ctx, { kind: "all_lectures" })),

  /** Searches titles, transcripts, translations and summaries, of one lecture or of all. Best matches first. */
  search: userProcedure
    .input(
      z.object({
        query: storedText(searchQueryMaxLength),
        lectureId: z.optional(uuid),
        cursor: cursorInput,
      }),
    )
    .output(searchPage)
    .query(({ ctx, input }) =>
      searchLectures(ctx.db, { ...input, ...ctx.caller, clock: ctx.clock }),
    ),
});
