import * as z from "zod";
import { manners } from "./small-model.ts";

const failure = z.union([
  z.int().min(400).max(599),
  z.enum(["refuse", "garbage", "cut", "end", "stall", "length", "error"]),
]);
export type Failure = z.infer<typeof failure>;

export const failureControl = z.strictObject({
  reset: z.optional(z.literal(true)),
  delayMs: z.optional(z.int().min(0).max(600_000)),
  fail: z.optional(failure),
  answer: z.optional(z.string()),
  windowTokens: z.optional(z.int().min(1)),
  windowError: z.optional(z.enum(["openai", "exceeded", "slot"])),
  reportedWindow: z.optional(z.int().min(1)),
  slots: z.optional(z.int().min(1)),
  manner: z.optional(z.enum(manners)),
  schema: z.optional(z.enum(["refused", "ignored"])),
  count: z.optional(z.int().min(1)),
  match: z.optional(z.string().min(1)),
});
export type FailureSettings = Omit<
  z.infer<typeof failureControl>,
  "reset" | "count" | "match" | "reportedWindow"
>;
