import { sql } from "drizzle-orm";
import { type Database, toTimestamp } from "#server/database.ts";
import type { LectureKey } from "#server/lectures/queries.ts";
import { mayRead, selectOwners } from "#server/people/access.ts";
import { selectActiveShareId } from "#server/sharing/queries.ts";
import { AppError } from "#shared/errors.ts";
import { accountSlideBytesMax, accountSlidesMax, slidesMax } from "#shared/limits.ts";
import type {
  MoveSlidesInput,
  SaveSlidesInput,
  SharedSlide,
  Slide,
  SlideKind,
  SlidesUsage,
} from "#shared/slides.ts";
import type { PictureFormat } from "./read-picture.ts";

const isOwn = (userId: string) => sql`user_id = ${userId}::uuid`;

const selectLecture = ({ userId, id }: LectureKey) =>
  sql`select id from lectures where id = ${id}::uuid and ${isOwn(userId)} and deleted_at is null`;

/** The same with the share whose readers are to learn of a change. */
const selectWithShare = ({ userId, id }: LectureKey) =>
  sql`select id, ${selectActiveShareId} as "shareId" from lectures
    where id = ${id}::uuid and ${isOwn(userId)} and deleted_at is null`;

/** A lecture whose slides have changed. */
export interface ChangedSlides {
  lectureId: string;
  shareId: string | null;
}

type Row = Record<string, unknown> & Omit<Slide, "createdAt"> & { createdMs: number };

/** A row that is gone counts as none. */
const inOrder = sql`coalesce(entry.start_ms, slides.at_ms) nulls first, entry.position nulls first,
  slides.at_ms nulls first, slides.page nulls first, slides.id`;

const joinRows = sql`left join transcript_entries entry
  on entry.lecture_id = slides.lecture_id and entry.id = slides.row_id`;

/** The slides of a lecture that the user may read, in order; none of one that is in the trash. */
export async function listSlides(db: Database, key: LectureKey): Promise<Slide[]> {
  const { rows } = await db.execute<Row>(sql`
    select slides.id, slides.lecture_id as "lectureId", row_id as "rowId", at_ms as "atMs", page,
      file_name as "fileName", source, text, placed_by as "placedBy", width, height,
      full_bytes > 0 and thumbnail_bytes > 0 as "hasPictures",
      (extract(epoch from slides.created_at) * 1000)::float8 as "createdMs"
    from lectures
    join slides on slides.user_id = lectures.user_id and slides.lecture_id = lectures.id ${joinRows}
    where lectures.id = ${key.id}::uuid and ${mayRead(key.userId)} and lectures.deleted_at is null
    order by ${inOrder}`);
  return rows.map(({ createdMs, ...slide }) => ({
    ...slide,
    createdAt: new Date(createdMs).toISOString(),
  }));
}

/** Bytes of a slide without its pictures, as `slides.bytes` counts them. */
const wordBytes = (slide: string) =>
  sql`octet_length(${sql.raw(slide)}.text) + coalesce(octet_length(${sql.raw(slide)}."fileName"), 0) + 256`;

/** What all slides of the user count. */
const sumBytes = (userId: string) =>
  sql`(select coalesce(sum(bytes), 0)::float8 from slides where ${isOwn(userId)})`;

/**
 * Stores slides in place of those with the same ids, all or nothing. One whose id another lecture's slide has is left out.
 *
 * @returns the lecture's active share
 * @throws AppError `not_found`, `lecture_full`, `account_full`
 */
export async function saveSlides(
  db: Database,
  { userId, lectureId, slides: saved, now }: SaveSlidesInput & { userId: string; now: Date },
): Promise<ChangedSlides> {
  const at = toTimestamp(now);
  const { rows } = await db.execute<{
    shareId: string | null;
    lecture_full: boolean;
    account_full: boolean;
  }>(sql`
    with lecture as materialized (
      ${selectWithShare({ userId, id: lectureId })} for no key update
    ),
    incoming as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(saved)}::jsonb) as slide (
        id uuid, "rowId" uuid, "atMs" int, page int, "fileName" text, source slide_source, text text,
        "placedBy" slide_placed_by, width int, height int)
    ),
    added as materialized (
      select count(*) as count, coalesce(sum(${wordBytes("incoming")}), 0) as bytes from incoming
      where not exists (select from slides where ${isOwn(userId)} and slides.id = incoming.id)
    ),
    verdict as materialized (
      select lecture.id, "shareId", added.count > 0 and added.count + (
          select count(*) from slides where ${isOwn(userId)} and lecture_id = lecture.id
        ) > ${slidesMax}::int as lecture_full,
        added.count > 0 and (added.bytes + ${sumBytes(userId)} > ${accountSlideBytesMax}::bigint or added.count + (
          select count(*) from slides where ${isOwn(userId)}
        ) > ${accountSlidesMax}::int) as account_full
      from lecture, added
    ),
    written as (
      insert into slides (id, user_id, lecture_id, row_id, at_ms, page, file_name, source, text, placed_by, width,
        height, created_at, updated_at)
      select incoming.id, ${userId}::uuid, verdict.id, "rowId", "atMs", page, "fileName", source, text, "placedBy",
        width, height, ${at}, ${at}
      from incoming, verdict where not (lecture_full or account_full)
      on conflict (user_id, id) do update set row_id = excluded.row_id, at_ms = excluded.at_ms, page = excluded.page,
        file_name = excluded.file_name, source = excluded.source, text = excluded.text, placed_by = excluded.placed_by,
        width = excluded.width, height = excluded.height, updated_at = excluded.updated_at
        where slides.lecture_id = excluded.lecture_id
    )
    select "shareId", lecture_full, account_full from verdict`);
  const [verdict] = rows;
  if (!verdict) throw new AppError("not_found");
  if (verdict.lecture_full) throw new AppError("lecture_full");
  if (verdict.account_full) throw new AppError("account_full");
  return { lectureId, shareId: verdict.shareId };
}

type ChangedRow = Record<string, unknown> & { shareId: string | null };

/** @throws AppError `not_found` if the user has no such lecture outside the trash */
export async function moveSlides(
  db: Database,
  { userId, lectureId, places, now }: MoveSlidesInput & { userId: string; now: Date },
): Promise<ChangedSlides> {
  const { rows } = await db.execute<ChangedRow>(sql`
    with lecture as materialized (${selectWithShare({ userId, id: lectureId })}),
    moved as (
      update slides set row_id = place."rowId", placed_by = place."placedBy", updated_at = ${toTimestamp(now)}
      from jsonb_to_recordset(${JSON.stringify(places)}::jsonb)
        as place (id uuid, "rowId" uuid, "placedBy" slide_placed_by), lecture
      where slides.user_id = ${userId}::uuid and slides.lecture_id = lecture.id and slides.id = place.id
    )
    select "shareId" from lecture`);
  return toChanged(lectureId, rows);
}

function toChanged(lectureId: string, [row]: readonly ChangedRow[]): ChangedSlides {
  if (!row) throw new AppError("not_found");
  return { lectureId, shareId: row.shareId };
}

/**
 * Deletes slides with their pictures. Repeating it changes nothing.
 *
 * @throws AppError `not_found` if the user has no such lecture outside the trash
 */
export async function deleteSlides(
  db: Database,
  { userId, lectureId, ids }: { userId: string; lectureId: string; ids: readonly string[] },
): Promise<ChangedSlides> {
  const { rows } = await db.execute<ChangedRow>(sql`
    with lecture as materialized (${selectWithShare({ userId, id: lectureId })}),
    deleted as (
      delete from slides using lecture
      where slides.user_id = ${userId}::uuid and slides.lecture_id = lecture.id
        and slides.id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
    )
    select "shareId" from lecture`);
  return toChanged(lectureId, rows);
}

export async function readSlidesUsage(db: Database, userId: string): Promise<SlidesUsage> {
  const { rows } = await db.execute<{ bytes: number }>(sql`select ${sumBytes(userId)} as bytes`);
  return { bytes: rows[0]?.bytes ?? 0, bytesMax: accountSlideBytesMax };
}

/** Words of slides that a model is given, in characters: those of the first hour or so. */
const slideWordsMaxLength = 12_000;

/** The words on a lecture's slides, in order, each slide on its own lines; empty for another user's lecture. */
export async function readSlideWords(db: Database, key: LectureKey): Promise<string> {
  const { rows } = await db.execute<{ words: string | null }>(sql`
    select left(string_agg(btrim(slides.text), E'\n\n' order by ${inOrder}), ${slideWordsMaxLength}::int) as words
    from slides ${joinRows}
    where slides.user_id = ${key.userId}::uuid and slides.lecture_id = (${selectLecture(key)})
      and btrim(slides.text) <> ''`);
  return rows[0]?.words ?? "";
}

interface PictureKey {
  userId: string;
  id: string;
  kind: SlideKind;
}

/**
 * Stores one of a slide's pictures, unless it is there.
 *
 * @returns the lecture if the slide has both pictures from now on, otherwise null
 * @throws AppError `not_found`, `account_full`
 */
export async function storePicture(
  db: Database,
  {
    userId,
    id,
    kind,
    type,
    content,
  }: PictureKey & Pick<PictureFormat, "type"> & { content: Uint8Array },
): Promise<ChangedSlides | null> {
  const isFull = kind === "full";
  const column = sql.raw(isFull ? "full_bytes" : "thumbnail_bytes");
  const otherColumn = sql.raw(isFull ? "thumbnail_bytes" : "full_bytes");
  const size = sql`${content.byteLength}::int`;
  // In base64, because the driver sends parameters as JSON.
  const encoded = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const { rows } = await db.execute<{
    has_capacity: boolean;
    lectureId: string | null;
    shareId: string | null;
  }>(sql`
    with slide as materialized (
      select slides.id, slides.lecture_id, ${selectActiveShareId} as "shareId",
        ${column} > 0 as is_there, ${otherColumn} > 0 as has_other
      from slides join lectures on lectures.id = slides.lecture_id
      where slides.user_id = ${userId}::uuid and slides.id = ${id}::uuid
        and lectures.user_id = ${userId}::uuid and lectures.deleted_at is null
      for no key update of slides
    ),
    verdict as materialized (
      select slide.*, is_there or ${sumBytes(userId)} + ${size} <= ${accountSlideBytesMax}::bigint as has_capacity
      from slide
    ),
    added as (
      insert into slide_pictures (user_id, slide_id, kind, type, content)
      select ${userId}::uuid, id, ${kind}::slide_kind, ${type}, decode(${encoded.toString("base64")}, 'base64')
      from verdict where has_capacity and not is_there
      on conflict do nothing returning slide_id
    ),
    counted as (
      update slides set ${column} = ${size} from added
      where slides.user_id = ${userId}::uuid and slides.id = added.slide_id
      returning slides.lecture_id
    )
    select has_capacity, "shareId", (select lecture_id from counted where has_other) as "lectureId"
    from verdict`);
  const [verdict] = rows;
  if (!verdict) throw new AppError("not_found");
  if (!verdict.has_capacity) throw new AppError("account_full");
  const { lectureId, shareId } = verdict;
  return lectureId === null ? null : { lectureId, shareId };
}

interface Picture extends Pick<PictureFormat, "type"> {
  content: Uint8Array<ArrayBuffer>;
}

type PictureRow = Record<string, unknown> & Pick<Picture, "type"> & { content: string };

const selectPicture = sql`picture.type, encode(picture.content, 'base64') as content`;

function toPicture(rows: PictureRow[]): Picture {
  const [row] = rows;
  if (!row) throw new AppError("not_found");
  return { type: row.type, content: new Uint8Array(Buffer.from(row.content, "base64")) };
}

/**
 * A picture of a slide of a lecture that the user may read. The user's own comes first: others may have given a slide
 * the same id.
 *
 * @throws AppError `not_found`, also for a picture of a lecture in the trash
 */
export async function readPicture(
  db: Database,
  { userId, id, kind }: PictureKey,
): Promise<Picture> {
  const { rows } = await db.execute<PictureRow>(sql`
    select ${selectPicture}
    from slide_pictures picture
    join slides on slides.user_id = picture.user_id and slides.id = picture.slide_id
    join lectures on lectures.id = slides.lecture_id and lectures.user_id = slides.user_id
    where picture.user_id in (select ${userId}::uuid union all ${selectOwners(userId)})
      and picture.slide_id = ${id}::uuid and picture.kind = ${kind}::slide_kind
      and ${mayRead(userId)} and lectures.deleted_at is null
    order by picture.user_id <> ${userId}::uuid limit 1`);
  return toPicture(rows);
}

/** The lecture of a link, if it is shared with its slides: the readers' only way to them. */
const joinSharedSlides = sql`shares
  join lectures on lectures.id = shares.lecture_id and lectures.user_id = shares.user_id
    and lectures.deleted_at is null
  join slides on slides.user_id = shares.user_id and slides.lecture_id = lectures.id`;
const isShown = (codeHash: string) =>
  sql`shares.code_hash = ${codeHash} and shares.ended_at is null and shares.shows_slides`;

/** @throws AppError `not_found`, also where the share has ended or does not show slides */
export async function readSharedPicture(
  db: Database,
  { codeHash, id, kind }: { codeHash: string; id: string; kind: SlideKind },
): Promise<Picture> {
  const { rows } = await db.execute<PictureRow>(sql`
    select ${selectPicture}
    from ${joinSharedSlides} and slides.id = ${id}::uuid
    join slide_pictures picture on picture.user_id = slides.user_id and picture.slide_id = slides.id
      and picture.kind = ${kind}::slide_kind
    where ${isShown(codeHash)}`);
  return toPicture(rows);
}

/** The slides of an active share's lecture whose pictures are stored, in order; none if the share does not show them. */
export async function listSharedSlides(db: Database, codeHash: string): Promise<SharedSlide[]> {
  const { rows } = await db.execute<Record<string, unknown> & SharedSlide>(sql`
    select slides.id, entry.position, slides.at_ms as "atMs", slides.page, slides.text, slides.width, slides.height
    from ${joinSharedSlides} ${joinRows}
    where ${isShown(codeHash)}
      and slides.full_bytes > 0 and slides.thumbnail_bytes > 0
    order by ${inOrder}`);
  return rows;
}
