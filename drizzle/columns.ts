import { timestamp, uuid } from "drizzle-orm/pg-core";

/** A random UUID as primary key. The browser may choose it, so that a repeated call does not insert twice. */
export const id = () => uuid("id").primaryKey().defaultRandom();

/** With time zone and a precision of 1 ms. */
export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const createdAt = () => timestamptz("created_at").notNull().defaultNow();
export const updatedAt = () => timestamptz("updated_at").notNull().defaultNow();
