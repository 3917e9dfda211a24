import type { ErrorBody, ErrorCode } from "#shared/errors.ts";
import { getHttpStatus } from "#shared/errors.ts";

/** The response of a Durable Object that refuses an upgrade. */
export function createErrorResponse(code: ErrorCode): Response {
  const body: ErrorBody = { error: { code } };
  return Response.json(body, { status: getHttpStatus(code) });
}

export function isUpgradeRequest(request: Request): boolean {
  return request.headers.get("upgrade")?.toLowerCase() === "websocket";
}
