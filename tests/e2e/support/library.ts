import { randomUUID } from "node:crypto";
import type { APIResponse, Page } from "@playwright/test";
import { namesHeader, rowIdNames } from "#shared/site.ts";

/** The server closes idle connections: one that is used again at that moment is reset. */
const headers = {
  "sec-fetch-site": "same-origin",
  connection: "close",
  [namesHeader]: rowIdNames,
};

async function readResult(procedure: string, answer: APIResponse) {
  if (!answer.ok()) throw new Error(`${procedure}: ${await answer.text()}`);
  return (await answer.json()).result.data;
}

/** Calls a tRPC procedure that changes something, as the user of `page`. Returns its result. */
export async function callProcedure(page: Page, procedure: string, input?: object) {
  const options = { ...(input && { data: input }), headers };
  return readResult(procedure, await page.request.post(`/trpc/${procedure}`, options));
}

/** Calls a tRPC query as the user of `page`. Returns its result. */
export async function query(page: Page, procedure: string, input: object) {
  const params = { input: JSON.stringify(input) };
  return readResult(procedure, await page.request.get(`/trpc/${procedure}`, { params, headers }));
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

/** Calls `make` `count` times, five at a time: more would not be answered sooner (`accountPace`). */
export async function storeMany(
  count: number,
  make: (index: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < count; from += 5)
    await Promise.all(
      Array.from({ length: Math.min(5, count - from) }, (_, index) => make(from + index)),
    );
}
