/** What Stripe's error object holds; fields that say nothing are left out. */
export interface ErrorBody {
  type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  doc_url?: string;
}

/** A request is refused: `status` and `body` are the answer. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.message);
  }
}

/** Something about the request is wrong. `code` has a page in Stripe's documentation. */
export function invalidRequest(
  message: string,
  { code, param, status = 400 }: { code?: string; param?: string; status?: number } = {},
): ApiError {
  return new ApiError(status, {
    type: "invalid_request_error",
    message,
    ...(code
      ? { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}` }
      : {}),
    ...(param ? { param } : {}),
  });
}

/** 404 where the path names what is not there, 400 where a parameter does. */
export const resourceMissing = (kind: string, id: string, param: string | null): ApiError =>
  invalidRequest(`No such ${kind}: '${id}'`, {
    code: "resource_missing",
    param: param ?? "id",
    status: param === null ? 404 : 400,
  });

export const cardDeclined = (): ApiError =>
  new ApiError(402, {
    type: "card_error",
    code: "card_declined",
    decline_code: "generic_decline",
    message: "Your card was declined.",
    doc_url: "https://stripe.com/docs/error-codes/card-declined",
  });

/** A failure that was asked for through the control. */
export function failureOf(status: number): ApiError {
  if (status === 402) return cardDeclined();
  if (status === 429)
    return invalidRequest("Request rate limit exceeded.", { code: "rate_limit", status });
  const message = `The stand-in was told to fail with ${status}.`;
  return new ApiError(status, {
    type: status >= 500 ? "api_error" : "invalid_request_error",
    message,
  });
}
