import { bodyLimit } from "hono/body-limit";
import { AppError } from "#shared/errors.ts";

/** @throws AppError `payload_too_large` */
export const limitBody = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError() {
      throw new AppError("payload_too_large");
    },
  });
