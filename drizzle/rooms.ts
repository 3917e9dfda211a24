import { pgEnum, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";

export const roomKind = pgEnum("room_kind", ["recording", "share"]);

/**
 * Durable Objects of versions that never deleted their storage, as far as the database knew them when this table was
 * created. The cron calls each once, which sets its alarm, and deletes the row.
 */
export const unscheduledRooms = pgTable(
  "unscheduled_rooms",
  { kind: roomKind("kind").notNull(), id: uuid("id").notNull() },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);
