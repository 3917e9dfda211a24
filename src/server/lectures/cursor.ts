import * as z from "zod/mini";
import { uuid } from "../../shared/lecture.ts";

/** The last row of a page: the next one begins after it. */
export interface LectureCursor {
  /** Milliseconds since 1970, the precision that the column keeps. */
  createdAt: Date;
  id: string;
}

/** Opaque to the client, so that the order can change without it. */
export function encodeCursor({ createdAt, id }: LectureCursor): string {
  return `${createdAt.getTime().toString(36)}.${id}`;
}

/** Nine digits reach the year 5188, and so lie within what both Date and Postgres can hold. */
const moment = z.string().check(z.regex(/^[0-9a-z]{1,9}$/));

/** The cursor that `encodeCursor` made, or null for anything else. */
export function decodeCursor(text: string): LectureCursor | null {
  const [time, id, ...rest] = text.split(".");
  const parsed = z.tuple([moment, uuid]).safeParse([time, id]);
  if (!parsed.success || rest.length > 0) return null;
  return { createdAt: new Date(Number.parseInt(parsed.data[0], 36)), id: parsed.data[1] };
}
