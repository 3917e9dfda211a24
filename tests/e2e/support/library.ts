import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";

/** Calls a tRPC procedure as the user of `page`. */
export async function callProcedure(page: Page, procedure: string, input?: object): Promise<void> {
  const answer = await page.request.post(`/trpc/${procedure}`, {
    ...(input && { data: input }),
    headers: { "sec-fetch-site": "same-origin" },
  });
  if (!answer.ok()) throw new Error(`${procedure}: ${await answer.text()}`);
}

/** Creates a folder; returns its id. */
export async function storeFolder(
  page: Page,
  name: string,
  parentFolderId: string | null = null,
): Promise<string> {
  const id = randomUUID();
  await callProcedure(page, "folders.create", { id, name, parentFolderId });
  return id;
}

/** Calls `make` `count` times, ten at a time. */
export async function storeMany(
  count: number,
  make: (index: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < count; from += 10)
    await Promise.all(
      Array.from({ length: Math.min(10, count - from) }, (_, index) => make(from + index)),
    );
}
