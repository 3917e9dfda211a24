import * as z from "zod/mini";

/** The sound or video file whose sound a take is. */
export const takeFile = z.object({
  name: z.string(),
  /** Equal for the same file, whatever its name is. */
  fingerprint: z.string(),
  /** Length of its sound, ms. */
  lengthMs: z.number(),
  /** Nothing more of it is to be read. Before that, nothing recognises the take. */
  isRead: z.boolean(),
});
export type TakeFile = z.infer<typeof takeFile>;
