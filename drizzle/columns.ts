import { timestamp, uuid } from "drizzle-orm/pg-core";

/** A random UUID as primary key; the browser may choose it where a repeated call must not insert twice. */
export const id = () => uuid("id").primaryKey().defaultRandom();

/** A moment, with time zone, in milliseconds. */
export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const createdAt = () => timestamptz("created_at").notNull().defaultNow();
export const updatedAt = () => timestamptz("updated_at").notNull().defaultNow();
