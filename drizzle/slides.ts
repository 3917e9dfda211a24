import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  customType,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { slideKinds, slideSources, slideTypes, waysToPlace } from "#shared/slides.ts";
import { createdAt, updatedAt, userId } from "./accounts.ts";
import { lectureId } from "./library.ts";

export const slideSource = pgEnum("slide_source", slideSources);
export const slidePlacedBy = pgEnum("slide_placed_by", waysToPlace);
export const slideKind = pgEnum("slide_kind", slideKinds);

/** Slides beside a lecture's rows, without their pictures. They are in the trash with their lecture. */
export const slides = pgTable(
  "slides",
  {
    id: uuid("id").notNull(),
    userId: userId(),
    lectureId: lectureId(),
    /** The row at which it stands, which may be deleted; null: before the first one. */
    rowId: uuid("row_id"),
    /** On the lecture's clock. */
    atMs: integer("at_ms"),
    page: integer("page"),
    fileName: text("file_name"),
    source: slideSource("source").notNull(),
    text: text("text").notNull().default(""),
    placedBy: slidePlacedBy("placed_by").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    /** Of its pictures; 0: not there yet. */
    fullBytes: integer("full_bytes").notNull().default(0),
    thumbnailBytes: integer("thumbnail_bytes").notNull().default(0),
    /** What the slide counts in its user's storage of slides. */
    bytes: bigint("bytes", { mode: "number" })
      .notNull()
      .generatedAlwaysAs(
        sql`octet_length(text) + coalesce(octet_length(file_name), 0) + full_bytes + thumbnail_bytes + 256`,
      ),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index("slides_lecture_idx").on(table.lectureId),
    // Sums a user's bytes without reading words.
    index("slides_user_bytes_idx").on(table.userId, table.bytes),
    check(
      "slides_not_negative",
      sql`least(${table.atMs}, ${table.page}, ${table.width}, ${table.height}, ${table.fullBytes}, ${table.thumbnailBytes}) >= 0`,
    ),
  ],
);

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Apart from `slides`, so that a list reads no picture. A picture that is there never changes. */
export const slidePictures = pgTable(
  "slide_pictures",
  {
    userId: userId(),
    slideId: uuid("slide_id").notNull(),
    kind: slideKind("kind").notNull(),
    type: text("type", { enum: slideTypes }).notNull(),
    content: bytea("content").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.slideId, table.kind] }),
    foreignKey({
      name: "slide_pictures_slide_fk",
      columns: [table.userId, table.slideId],
      foreignColumns: [slides.userId, slides.id],
    }).onDelete("cascade"),
  ],
);
