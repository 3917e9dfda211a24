import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { type TermTranslations, termOrigins } from "#shared/glossary.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { createdAt, updatedAt, userId } from "./accounts.ts";
import { folders } from "./library.ts";

export const termOrigin = pgEnum("term_origin", termOrigins);

/** Terms of a folder, or of the whole library where `folder_id` is null. A folder's terms are in the trash with it. */
export const glossaryTerms = pgTable(
  "glossary_terms",
  {
    /** Chosen by the browser. */
    id: uuid("id").notNull(),
    userId: userId(),
    folderId: uuid("folder_id"),
    /** Of `term`. */
    language: text("language").$type<SpokenLanguage>().notNull(),
    term: text("term").notNull(),
    /** `term` as it is compared: see `getTermKey`. */
    key: text("key").notNull(),
    translations: jsonb("translations").$type<TermTranslations>().notNull().default({}),
    note: text("note").notNull().default(""),
    originKind: termOrigin("origin_kind").notNull(),
    originName: text("origin_name").notNull().default(""),
    /** Order within the folder: that of the slides. */
    position: integer("position").notNull(),
    /** The folder does not inherit the term. */
    isLeftOut: boolean("is_left_out").notNull().default(false),
    /** Bytes that the term adds to `user_storage`. */
    bytes: bigint("bytes", { mode: "number" })
      .notNull()
      .generatedAlwaysAs(
        sql`octet_length(term) + octet_length(key) + octet_length(translations::text)
          + octet_length(note) + octet_length(origin_name) + 64`,
      ),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    unique("glossary_terms_folder_language_key")
      .on(table.userId, table.folderId, table.language, table.key)
      .nullsNotDistinct(),
    foreignKey({
      name: "glossary_terms_folder_same_user_fk",
      columns: [table.folderId, table.userId],
      foreignColumns: [folders.id, folders.userId],
    }).onDelete("cascade"),
    // For the deletion of a folder.
    index("glossary_terms_folder_idx").on(table.folderId),
    check("glossary_terms_term_not_blank", sql`btrim(${table.term}) <> ''`),
  ],
);
