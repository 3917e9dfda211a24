import type { Query, QueryClient } from "@tanstack/react-query";
import { toApiError } from "#client/lib/call-server.ts";
import { loadGapMessages } from "#client/state/fetch-lecture.ts";
import { fetchLectureNames } from "#client/state/lecture-names.ts";
import {
  compareNewestFirst,
  findLecture,
  type LecturePages,
} from "#client/state/library/lecture-pages.ts";
import { isVisitorConfirmed, readableLectures } from "#client/state/offline.ts";
import { getUserId, visitor } from "#client/state/visitor.ts";
import type { Lecture, LectureListItem } from "#shared/lecture.ts";
import { LectureStore } from "./lecture-store.ts";
import { fetchRecordedLectures } from "./recorded-lectures.ts";
import {
  allLecturesKey,
  findStoredQuery,
  parseLecturePages,
  parseStored,
  type StoredQuery,
} from "./stored-shapes.ts";

/**
 * Keeps the lectures that were opened, and the lists of the library, on this device, and gives them to the query cache
 * where the server cannot be reached. They are the signed-in user's only, whom the server has confirmed; when
 * somebody else or nobody is signed in, `visitor.ts` deletes them. Where the browser stores nothing, nothing is kept.
 */

const store = new LectureStore();

/** A disk that does not respond must not keep the page from saying that the network is away. */
const readTimeoutMs = 3_000;
/** A query that changes all the time is not stored more often. */
const writeIntervalMs = 5_000;

/** The last change of who is here has been applied to the store. */
let ready: Promise<void> = Promise.resolve();

let userId = getUserId();

function followVisitor(): void {
  const before = userId;
  userId = getUserId();
  if (userId !== before) {
    readableLectures.set(new Set());
    dueTimes.clear();
    // It is being deleted, and the next user's is another one.
    store.close();
  }
  ready = ready.then(applyVisitor).catch(reportFailure);
}

async function applyVisitor(): Promise<void> {
  const userId = getUserId();
  if (userId === null) return;
  if (isVisitorConfirmed.get()) await store.claim(userId);
  const entries = await store.list(userId);
  const ids = entries.flatMap(({ lecture }) => lecture?.id ?? []);
  if (getUserId() !== userId) return;
  addReadable(ids);
  if (isVisitorConfirmed.get()) void syncStoredLectures();
}

/** Deletes what is stored of lectures that were deleted, here or elsewhere. If that fails, it is done the next time. */
export async function syncStoredLectures(): Promise<void> {
  const userId = getUserId();
  if (userId === null) return;
  try {
    const entries = await store.list(userId);
    const ids = entries.flatMap(({ lecture }) => lecture?.id ?? []);
    const names = await fetchLectureNames(ids, userId);
    const existing = new Set(names.flatMap(({ id, isDeleted }) => (isDeleted ? [] : [id])));
    await forget(ids.filter((id) => !existing.has(id)));
  } catch (failure) {
    reportFailure(failure);
  }
}

async function forget(ids: readonly string[]): Promise<void> {
  removeReadable(ids);
  const keys = ids.flatMap((id) =>
    [toLectureKey(id), toQuizKey(id)].flatMap((key) => findStoredQuery(key)?.key ?? []),
  );
  await store.remove(keys);
}

const addReadable = (ids: readonly string[]) =>
  readableLectures.set(new Set([...readableLectures.get(), ...ids]));

const removeReadable = (ids: readonly string[]) =>
  readableLectures.set(new Set([...readableLectures.get()].filter((id) => !ids.includes(id))));

const toLectureKey = (id: string) => [["lectures", "get"], { input: { id } }];

const toQuizKey = (lectureId: string) => [["quiz", "list"], { input: { scope: { lectureId } } }];

/** Data that came from the store, and is not stored again. */
const restored = new WeakSet<object>();

/**
 * Gives `query` what is stored of it, with the time at which the server gave it, unless it has data by now. What is
 * damaged counts as missing.
 */
export async function restoreQuery(client: QueryClient, query: Query): Promise<void> {
  const userId = getUserId();
  const stored = findStoredQuery(query.queryKey);
  if (stored === null || userId === null) return;
  const answer = await Promise.race([readStored(userId, stored), wait(readTimeoutMs)]);
  const isCurrent = client.getQueryCache().get(query.queryHash) === query;
  if (answer === null || !isCurrent || query.state.data !== undefined || getUserId() !== userId)
    return;
  restored.add(answer.data);
  client.setQueryData(query.queryKey, answer.data, { updatedAt: answer.storedAt });
}

const wait = (ms: number) =>
  new Promise<null>((resolve) => {
    setTimeout(resolve, ms, null);
  });

async function readStored(
  userId: string,
  { key, shape, lectureId, list }: StoredQuery,
): Promise<{ data: object; storedAt: number } | null> {
  if (list) return readLectureList(userId, key, list.folderId);
  const found = await store.read(userId, key);
  const data = found && (parseStored(shape, found.text) as object | null);
  if (!data) return null;
  if (lectureId !== null) await loadGapMessages((data as Lecture).takes);
  return { data, storedAt: found.storedAt };
}

/**
 * The lectures of a folder (null: of none, undefined: all): its own list, or those of the list of all, with the stored
 * lectures that are on none of its pages.
 */
async function readLectureList(
  userId: string,
  key: string,
  folderId: string | null | undefined,
): Promise<{ data: LecturePages; storedAt: number } | null> {
  const found = (await store.read(userId, key)) ?? (await store.read(userId, allLecturesKey));
  const data = found && parseLecturePages(found.text);
  if (!data) return null;
  const belongs = (one: LectureListItem) => folderId === undefined || one.folderId === folderId;
  const pages = data.pages.map((page) => ({ ...page, items: page.items.filter(belongs) }));
  const missing = (await store.list(userId))
    .flatMap(({ lecture }) => (lecture && belongs(lecture) ? [lecture] : []))
    .filter(({ id }) => !findLecture([data], id));
  for (const one of missing) {
    const isNewer = (item: LectureListItem) => compareNewestFirst(one, item) < 0;
    const page = pages.find(({ items }) => items.some(isNewer)) ?? pages.at(-1);
    page?.items.push(one);
  }
  for (const { items } of pages) items.sort(compareNewestFirst);
  return { data: { ...data, pages }, storedAt: found.storedAt };
}

/**
 * Stores what the queries of `client` answer from now on, and what they have answered, and lectures that this tab
 * records. Returns the function that ends it.
 */
export function watchQueries(client: QueryClient): () => void {
  const cache = client.getQueryCache();
  for (const query of cache.getAll()) keep(query);
  const stopFetching = fetchRecordedLectures(client);
  const stopKeeping = cache.subscribe((event) => {
    if (event.type !== "updated") return;
    if (event.action.type === "success") keep(event.query);
    const { lectureId = null } = findStoredQuery(event.query.queryKey) ?? {};
    if (event.action.type === "error" && lectureId !== null)
      if (toApiError(event.action.error).code === "not_found")
        void forget([lectureId]).catch(reportFailure);
  });
  return () => {
    stopFetching();
    stopKeeping();
  };
}

/** When each query is stored next, by key; ms since the page was opened, which no change of the clock moves. */
const dueTimes = new Map<string, number>();

function keep(query: Query): void {
  const stored = findStoredQuery(query.queryKey);
  const { data } = query.state;
  if (stored === null || typeof data !== "object" || data === null || restored.has(data)) return;
  const { key, lectureId } = stored;
  if (lectureId !== null) addReadable([lectureId]);
  const now = performance.now();
  const due = dueTimes.get(key) ?? Number.NEGATIVE_INFINITY;
  // It will be stored with this change.
  if (due > now) return;
  const userId = getUserId();
  const delayMs = Math.max(0, due + writeIntervalMs - now);
  dueTimes.set(key, now + delayMs);
  setTimeout(() => void write(userId, query, stored).catch(reportFailure), delayMs);
}

async function write(
  userId: string | null,
  { state }: Query,
  { key, lectureId }: StoredQuery,
): Promise<void> {
  await ready;
  const { data, dataUpdatedAt } = state;
  if (data === undefined || userId === null || getUserId() !== userId) return;
  if (!isVisitorConfirmed.get()) return;
  const lecture = lectureId === null ? null : toListItem(data as Lecture);
  const text = JSON.stringify(data);
  const outdated = await store.write(userId, { key, lecture, text, storedAt: dataUpdatedAt });
  removeReadable(outdated.flatMap((entry) => entry.lecture?.id ?? []));
}

const toListItem = ({
  id,
  title,
  titleSource,
  status,
  folderId,
  createdAt,
  updatedAt,
  excerpt,
  translatedExcerpt,
  sourceLanguage,
  targetLanguage,
  isTwoWay,
  usedTime,
  hasDemoText,
}: Lecture): LectureListItem => ({
  id,
  title,
  titleSource,
  status,
  folderId,
  createdAt,
  updatedAt,
  excerpt,
  translatedExcerpt,
  sourceLanguage,
  targetLanguage,
  isTwoWay,
  usedTime,
  hasDemoText,
});

/** Nothing is kept then; the page works as without. */
function reportFailure(failure: unknown): void {
  console.warn("Lectures could not be kept for times without a network", failure);
}

visitor.subscribe(followVisitor);
isVisitorConfirmed.subscribe(followVisitor);
followVisitor();
