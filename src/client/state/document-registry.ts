import { confirmLeaveWhile } from "#client/lib/browser.ts";
import type { EditableLecture } from "#client/realtime/lecture/editable-lecture.ts";
import { getVisitorId, visitor } from "./visitor.ts";

/**
 * Lectures that are read and corrected in this tab outside its recording session, by id. Each saves by
 * itself, and stays here after it was left until everything is saved.
 */
const documents = new Map<string, EditableLecture>();
/** Ids of those that were left. */
const leftIds = new Set<string>();
/** Ids of those that were deleted elsewhere: they can be saved only after they are restored. */
const deletedIds = new Set<string>();
let ownerId: string | null = null;

/** The open document of lecture `id`, opened by `create` if there is none. */
export function getDocument(id: string, create: () => EditableLecture): EditableLecture {
  const existing = documents.get(id);
  if (existing) return existing;
  const lecture = create();
  ownerId = getVisitorId(visitor.get());
  documents.set(id, lecture);
  lecture.view.subscribe(() => closeIfDone(lecture));
  return lecture;
}

export const listDocuments = (): EditableLecture[] => [...documents.values()];

/** Keeps `lecture` open while it is shown. Returns the function that saves it and lets it go. */
export function showDocument(lecture: EditableLecture): () => void {
  leftIds.delete(lecture.lectureId);
  deletedIds.delete(lecture.lectureId);
  return () => {
    leftIds.add(lecture.lectureId);
    void lecture.saveNow().then(() => closeIfDone(lecture));
  };
}

export const isDocumentShown = (id: string): boolean => documents.has(id) && !leftIds.has(id);

/** Lecture `id` was deleted elsewhere. Its changes stay here in case it is restored, but no longer keep the page open. */
export function markDeleted(id: string): void {
  deletedIds.add(id);
}

/** Saves lecture `id` before the recording session opens it. Null if it is not open here. */
export function saveDocument(id: string): Promise<void> | null {
  const lecture = documents.get(id);
  return lecture ? lecture.saveNow().then(() => closeIfDone(lecture)) : null;
}

/** Stops saving lecture `id`. */
export function discardDocument(id: string): void {
  documents.get(id)?.dispose();
  documents.delete(id);
  leftIds.delete(id);
  deletedIds.delete(id);
}

function closeIfDone(lecture: EditableLecture): void {
  const id = lecture.lectureId;
  if (leftIds.has(id) && documents.get(id) === lecture && !lecture.hasUnsavedChanges)
    discardDocument(id);
}

// Another user must not save what the one before has changed. After an expired session the same user may return.
visitor.subscribe(() => {
  const now = visitor.get();
  const mayReturn = now.kind === "unknown" || (now.kind === "anonymous" && now.expired);
  if (mayReturn || getVisitorId(now) === ownerId) return;
  for (const id of [...documents.keys()]) discardDocument(id);
});

confirmLeaveWhile(() =>
  listDocuments().some(
    ({ lectureId, hasUnsavedChanges }) => hasUnsavedChanges && !deletedIds.has(lectureId),
  ),
);
