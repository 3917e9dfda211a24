import * as z from "zod/mini";

/** What the object stores besides the items: never text. */
export const storedShareSchema = z.object({
  version: z.literal(1),
  epoch: z.string(),
  seq: z.int(),
  recording: z.nullable(
    z.object({
      state: z.enum(["live", "lost", "stopped"]),
      since: z.number(),
      byRoom: z.boolean(),
    }),
  ),
});
export type StoredShare = z.infer<typeof storedShareSchema>;

/** When an item last changed: a row (`language` is ''), or its translation. */
export interface ShareSnapshotItem {
  position: number;
  language: string;
  seq: number;
  /** Hash of the content. */
  fingerprint: string;
}
