import { env } from "cloudflare:test";
import { vi } from "vitest";
import { entryTextMaxLength } from "#shared/limits.ts";
import { guestTicketHeader } from "#shared/site.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { openBrowser } from "#tests/worker/support/browser.ts";
import { readEnv } from "#worker/env.ts";

export const { llm } = readEnv(env);
const standIn = llm.baseUrl.replace("/v1", "");

/** A guest with a valid ticket. */
export async function openGuest() {
  const { ticket } = await openBrowser().trpc.recording.guestTicket.mutate({ previous: null });
  return { ...openBrowser({ [guestTicketHeader]: ticket }), ticket };
}

/** Injects a failure into prompts that contain `match`; other tests' prompts are not affected. */
export async function failRequests(match: string, fault: Record<string, unknown>): Promise<void> {
  const body = JSON.stringify({ match, ...fault });
  const response = await fetch(`${standIn}/control`, { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
}

/** Number of prompts with `match` that the model is answering. */
export async function openPrompts(match: string): Promise<number> {
  const response = await fetch(`${standIn}/open?match=${encodeURIComponent(match)}`);
  return ((await response.json()) as { open: number }).open;
}

/** Resolves when `count` prompts with `match` are being answered. */
export const untilOpen = (match: string, count: number) =>
  vi.waitUntil(async () => (await openPrompts(match)) === count, { timeout: 10_000, interval: 20 });

/** Stores `text` as a lecture of the user, in rows of maximum length; returns its id. */
export async function storeLecture(
  trpc: ReturnType<typeof openBrowser>["trpc"],
  text: string,
): Promise<string> {
  const lectureId = crypto.randomUUID();
  await trpc.lectures.create.mutate({ id: lectureId, title: "Stored", targetLanguage: "fr" });
  const entries = [];
  for (let at = 0; at < text.length; at += entryTextMaxLength)
    entries.push(createEntry(text.slice(at, at + entryTextMaxLength), at));
  if (entries.length > 0)
    await trpc.lectures.saveRows.mutate({ lectureId, entries: numberRows(entries), deleted: [] });
  return lectureId;
}
