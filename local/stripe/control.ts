import { z } from "zod";

const failure = z.union([z.int().min(400).max(599), z.enum(["refuse", "lose-answer", "timeout"])]);

/** Body of `POST /stripe/control`; docs/embedded-stripe.md tells what each part does. */
export const control = z.strictObject({
  reset: z.literal(true).optional(),
  webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
  webhookTypes: z.array(z.string().min(1)).optional(),
  periodSeconds: z.int().min(1).nullable().optional(),
  afterRetries: z.enum(["canceled", "unpaid", "past_due"]).optional(),
  card: z.strictObject({ customer: z.string().min(1), declines: z.boolean() }).optional(),
  now: z.iso.datetime({ offset: true }).optional(),
  advanceSeconds: z.number().min(0).optional(),
  /** Whom `now`, `advanceSeconds`, `webhooks` and `release` are about; absent: all. */
  customer: z.string().min(1).optional(),
  webhooks: z
    .strictObject({
      type: z.string().min(1).optional(),
      count: z.int().min(1).optional(),
      delayMs: z.int().min(0).max(600_000).optional(),
      hold: z.boolean().optional(),
      repeat: z.int().min(1).max(100).optional(),
      drop: z.boolean().optional(),
    })
    .optional(),
  release: z
    .strictObject({
      order: z.union([z.literal("reversed"), z.array(z.string().min(1))]).optional(),
      repeat: z.int().min(1).max(100).optional(),
    })
    .optional(),
  resend: z.string().min(1).optional(),
  forge: z
    .strictObject({
      /** Absent: the newest event that is kept. */
      event: z.string().min(1).optional(),
      how: z.enum(["signature", "altered", "old", "future"]),
    })
    .optional(),
  calls: z
    .strictObject({
      match: z.string().min(1).optional(),
      fail: failure.optional(),
      delayMs: z.int().min(0).max(600_000).optional(),
      count: z.int().min(1).optional(),
    })
    .optional(),
  settle: z.literal(true).optional(),
});
export type Control = z.infer<typeof control>;
