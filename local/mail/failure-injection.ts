import * as z from "zod";

const failure = z.union([z.int().min(400).max(599), z.enum(["refuse", "garbage", "lose-answer"])]);
export type Failure = z.infer<typeof failure>;

export const failureControl = z.strictObject({
  reset: z.optional(z.literal(true)),
  delayMs: z.optional(z.int().min(0).max(600_000)),
  fail: z.optional(failure),
  count: z.optional(z.int().min(1)),
  to: z.optional(z.string().min(1)),
});
export type FailureSettings = Omit<z.infer<typeof failureControl>, "reset" | "count" | "to">;
