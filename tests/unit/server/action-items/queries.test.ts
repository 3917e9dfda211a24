import { expect, test } from "vitest";
import { lectures, webhooks } from "#drizzle/schema.ts";
import { readSource, storeFoundItems } from "#server/action-items/queries.ts";
import { changeLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { accountBytesMax } from "#server/lectures/storage.ts";
import type { ActionItem } from "#shared/action-item.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import {
  addLecture,
  createTestDatabase,
  readBytes,
} from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date("2026-11-21T08:00:00.000Z");

const createItem = (task: string, over: Partial<ActionItem> = {}): ActionItem => ({
  id: crypto.randomUUID(),
  task,
  who: "小李",
  due: "by Friday",
  dueOn: "2026-11-27",
  rows: [{ id: crypto.randomUUID(), startMs: 5 }],
  isDone: false,
  byHand: false,
  ...over,
});

async function open() {
  const db = database();
  const { userId, lectureId: id } = await addLecture(db);
  const key = { userId, id };
  const change = (actionItems: ActionItem[]) =>
    changeLecture(db, key, { actionItems, updatedAt: now });
  const readItems = async () => (await readSource(db, key, 10))?.items;
  return { db, key, change, readItems };
}

test("counts the bytes of items, and counts those that they replace no more", async () => {
  const { db, key, change } = await open();
  const empty = await readBytes(db, key.id);
  const items = [createItem("Send the slides"), createItem("订会议室")];
  await change(items);
  const full = await readBytes(db, key.id);
  const grown = Number(full?.rows) - Number(empty?.rows);
  // As Postgres writes it, with spaces.
  expect(grown).toBeGreaterThan(JSON.stringify(items).length);
  expect(Number(full?.lecture) - Number(empty?.lecture)).toBe(grown);
  expect(Number(full?.account) - Number(empty?.account)).toBe(grown);
  expect(await storeFoundItems(db, key, { before: items, items: [], now })).toBe(true);
  expect(await readBytes(db, key.id)).toEqual(empty);
});

test("stores what was found in place of what was known, and nothing else", async () => {
  const { db, key, change, readItems } = await open();
  const [first, second] = [createItem("One"), createItem("Two")];
  expect(await storeFoundItems(db, key, { before: [], items: [first], now })).toBe(true);
  await change([{ ...first, isDone: true }]);
  expect(await storeFoundItems(db, key, { before: [first], items: [second], now })).toBe(false);
  expect(await readItems()).toEqual([{ ...first, isDone: true }]);
  const stranger = { ...key, userId: crypto.randomUUID() };
  const mine = { before: [{ ...first, isDone: true }], items: [second], now };
  expect(await storeFoundItems(db, stranger, mine)).toBe(false);
  expect(await readSource(db, stranger, 10)).toBeNull();
});

test("stores none in an account that is full", async () => {
  const { db, key, change, readItems } = await open();
  await db.update(lectures).set({ entryBytes: accountBytesMax.free });
  expect(await storeFoundItems(db, key, { before: [], items: [createItem("One")], now })).toBe(
    false,
  );
  expect(await getErrorCode(change([createItem("One")]))).toBe("account_full");
  expect(await readItems()).toEqual([]);
});

test("queues a message for each webhook, unless there is nothing to do", async () => {
  const { db, key } = await open();
  await db.insert(webhooks).values({ userId: key.userId, url: "https://example.org/" });
  const item = createItem('订 "room"');
  await storeFoundItems(db, key, { before: [], items: [item], now });
  await storeFoundItems(db, key, { before: [item], items: [], now });
  const deliveries = await db.query.webhookDeliveries.findMany();
  const { rows: _, byHand: __, ...told } = item;
  expect(deliveries.map(({ body }) => JSON.parse(body))).toContainEqual({
    type: "lecture.action_items",
    timestamp: now.toISOString(),
    data: { lectureId: key.id, items: [told] },
  });
  expect(deliveries).toHaveLength(1);
});

test("reads rows in order, with their speakers, and says where some are missing", async () => {
  const { db, key } = await open();
  const entries = numberRows([
    createEntry("Later.", 2_000, { speaker: "2" }),
    createEntry(" ", 1_000),
    createEntry("First.", 0, { speaker: "1" }),
  ]);
  await saveRows(db, { userId: key.userId, lectureId: key.id, entries, deleted: [], now });
  const whole = await readSource(db, key, 100);
  expect(whole).toMatchObject({
    isWhole: true,
    rows: [
      { id: entries[2]?.id, startMs: 0, original: "First.", spokenIn: "en", speaker: "1" },
      { id: entries[0]?.id, startMs: 2_000, original: "Later.", speaker: "2" },
    ],
  });
  expect(await readSource(db, key, 6)).toMatchObject({ isWhole: false, rows: [{ startMs: 0 }] });
});
