/** A rejected request: the status, and the content of Stripe's error object. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly body: {
      type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
      message: string;
      code?: string;
      param?: string;
    },
  ) {
    super(body.message);
  }
}

export const createInvalidRequest = (
  message: string,
  { status = 400, ...rest }: { code?: string; param?: string; status?: number } = {},
): ApiError => new ApiError(status, { type: "invalid_request_error", message, ...rest });

/** 404 if the missing id is in the path (`param` is "id"), 400 if it is in another parameter. */
export function createResourceMissing(kind: string, id: string, param = "id"): ApiError {
  const status = param === "id" ? 404 : 400;
  return createInvalidRequest(`No such ${kind}: '${id}'`, {
    code: "resource_missing",
    param,
    status,
  });
}

/** @throws ApiError resource_missing if none has the id. */
export function getById<T extends { id: string }>(
  all: readonly T[],
  kind: string,
  id: string,
  param?: string,
): T {
  const one = all.find((each) => each.id === id);
  if (!one) throw createResourceMissing(kind, id, param);
  return one;
}
