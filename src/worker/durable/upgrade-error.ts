import type { ErrorBody, ErrorCode } from "#shared/errors.ts";
import { statusOf } from "#shared/errors.ts";

/** A Durable Object's answer instead of an upgrade. */
export function refusal(code: ErrorCode): Response {
  const body: ErrorBody = { error: { code } };
  return Response.json(body, { status: statusOf(code) });
}

export function isUpgrade(request: Request): boolean {
  return request.headers.get("upgrade")?.toLowerCase() === "websocket";
}
