import * as z from "zod";

// The fields of Resend's `POST /emails` that the product sends. The stand-in ignores other fields.

const addresses = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(50)])
  .transform((value) => (typeof value === "string" ? [value] : value));

const emailRequest = z
  .object({
    from: z.string().min(1),
    to: addresses,
    subject: z.string().min(1),
    html: z.nullish(z.string()),
    text: z.nullish(z.string()),
  })
  .refine((email) => email.html || email.text, { path: ["html"], message: "html or text" });
export type EmailRequest = z.infer<typeof emailRequest>;

/** An error in Resend's format. */
export interface ApiError {
  statusCode: number;
  name: string;
  message: string;
}

export const createApiError = (statusCode: number, name: string, message: string): ApiError => ({
  statusCode,
  name,
  message,
});

/** `someone@example.org`, or `Some One <someone@example.org>`. */
const mailbox = /^(?:[^<>]*<)?[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>?$/;

/** The parsed request, or Resend's error for an invalid `body`. */
export function parseEmail(body: unknown): EmailRequest | ApiError {
  const parsed = emailRequest.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = String(issue?.path[0] ?? "body");
    const missing = isRecord(body) && (body[field] === undefined || body[field] === null);
    return missing
      ? createApiError(422, "missing_required_field", `Missing \`${field}\` field.`)
      : createApiError(422, "validation_error", `Invalid \`${field}\` field.`);
  }
  const { from, to } = parsed.data;
  if (!mailbox.test(from.trim()))
    return createApiError(422, "invalid_from_address", "Invalid `from` field.");
  if (!to.every((address) => mailbox.test(address.trim())))
    return createApiError(422, "validation_error", "Invalid `to` field.");
  return parsed.data;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
