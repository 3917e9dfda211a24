import { getQueryKey } from "@trpc/react-query";
import { useEffect, useState } from "react";
import { callServer } from "#client/lib/call-server.ts";
import { browserClock, onWake } from "#client/lib/clock.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { api, queryClient, refetchQueries } from "#client/state/queries.tsx";
import { sendSlidePicture } from "#client/state/slide-pictures.ts";
import { type WaitingSlide, WaitingSlides } from "#client/state/stored/waiting-slides.ts";
import { trpc } from "#client/state/trpc.ts";
import type { NewSlide, Slide } from "#shared/slides.ts";
import { t } from "./messages/index.ts";
import { SlideQueue } from "./slide-queue.ts";

/** The slides of a person's own lectures: on the server, and on the way there. */

const toSlidesKey = (lectureId: string) => getQueryKey(api.slides.list, { lectureId }, "query");

const createQueue = (userId: string) =>
  new SlideQueue({
    userId,
    clock: browserClock,
    store: new WaitingSlides(userId),
    save: (lectureId, slides) => callServer(() => trpc.slides.save.mutate({ lectureId, slides })),
    send: sendSlidePicture,
    onSaved: (lectureId) => refetchQueries(toSlidesKey(lectureId)),
    onRefused: (failure, count) =>
      toastFailure(t("slides.notSaved", { count }), getErrorMessage(failure)),
  });

/** The queue of the signed-in person, which sends while a lecture is shown. */
export function useSlideQueue(userId: string): SlideQueue {
  const [queue] = useState(() => createQueue(userId));
  useEffect(() => {
    void queue.restore();
    const stop = onWake(() => void queue.wake());
    return () => {
      stop();
      queue.dispose();
    };
  }, [queue]);
  return queue;
}

/** Shows a change at once; what the server has in the end replaces it. */
function changeCached(lectureId: string, change: (slides: Slide[]) => Slide[]): void {
  queryClient.setQueryData<Slide[]>(toSlidesKey(lectureId), (slides) => slides && change(slides));
}

export type Place = Pick<NewSlide, "id" | "rowId" | "placedBy">;

/** Places slides at rows. A failure is reported and taken back, if a person has placed them. */
export async function placeSlides(
  queue: SlideQueue,
  lectureId: string,
  places: readonly Place[],
): Promise<void> {
  const stored = places.filter(({ id, ...place }) => !queue.change(id, place));
  if (stored.length === 0) return;
  const byId = new Map(stored.map((place) => [place.id, place]));
  changeCached(lectureId, (slides) => slides.map((one) => ({ ...one, ...byId.get(one.id) })));
  try {
    await callServer(() => trpc.slides.move.mutate({ lectureId, places: stored }));
  } catch (failure) {
    if (stored.some(({ placedBy }) => placedBy === "person"))
      toastFailure(t("slides.notMoved"), getErrorMessage(failure));
    await refetchQueries(toSlidesKey(lectureId));
  }
}

export async function removeSlides(
  queue: SlideQueue,
  lectureId: string,
  ids: readonly string[],
): Promise<void> {
  queue.remove(ids);
  changeCached(lectureId, (slides) => slides.filter(({ id }) => !ids.includes(id)));
  try {
    await callServer(() => trpc.slides.delete.mutate({ lectureId, ids: [...ids] }));
  } catch (failure) {
    toastFailure(t("slides.notDeleted"), getErrorMessage(failure));
    await refetchQueries(toSlidesKey(lectureId));
  }
}

/** Addresses of pictures that wait, by their blobs. */
const addresses = new WeakMap<Blob, string>();

/** The address lasts as long as the page: there are few, and an image may still be read from it. */
function getAddress(blob: Blob): string {
  const address = addresses.get(blob) ?? URL.createObjectURL(blob);
  addresses.set(blob, address);
  return address;
}

export const getWaitingAddresses = ({ full, thumbnail }: WaitingSlide) => ({
  full: getAddress(full),
  thumbnail: getAddress(thumbnail),
});
