import { expect, test } from "vitest";
import { uuid } from "#shared/lecture.ts";
import { isUuid } from "#shared/uuid.ts";

test.each([
  crypto.randomUUID(),
  crypto.randomUUID().toUpperCase(),
  "0190a000-0000-7000-8000-000000000001",
  "0190a000-0000-0000-8000-000000000001",
  "0190a000-0000-7000-7000-000000000001",
  ` ${crypto.randomUUID()}`,
  `${crypto.randomUUID()}\n`,
  "lecture-1",
  "",
])("%j is an id for the page as it is for the server", (text) => {
  expect(isUuid(text)).toBe(uuid.safeParse(text).success);
});
