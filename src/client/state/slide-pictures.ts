import { ApiError } from "#client/lib/call-server.ts";
import { type ErrorBody, type ErrorCode, isErrorCode } from "#shared/errors.ts";
import { toSlidePath } from "#shared/slide-address.ts";
import type { SlideKind } from "#shared/slides.ts";

/** The address that a slide's pictures are sent to and read from. @throws ApiError */
async function callPicture(id: string, kind: SlideKind, init: RequestInit): Promise<Response> {
  const answer = await fetch(toSlidePath(id, kind), init).catch((cause: unknown) => {
    init.signal?.throwIfAborted();
    throw new ApiError("unavailable", true, { cause });
  });
  if (answer.ok) return answer;
  const body: unknown = await answer.json().catch(() => null);
  throw new ApiError(readCode(body), answer.status === 429 || answer.status >= 500);
}

function readCode(body: unknown): ErrorCode {
  const code = (body as Partial<ErrorBody> | null)?.error?.code;
  return isErrorCode(code) ? code : "internal";
}

/** Stores one of a slide's pictures. @throws ApiError */
export async function sendSlidePicture(id: string, kind: SlideKind, picture: Blob): Promise<void> {
  await callPicture(id, kind, { method: "PUT", body: picture });
}

/** @throws ApiError */
export const readSlidePicture = async (id: string, kind: SlideKind): Promise<Blob> =>
  (await callPicture(id, kind, {})).blob();
