import { expect, it, vi } from "vitest";
import { SlideQueue } from "#client/features/slides/slide-queue.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { WaitingSlide } from "#client/state/stored/waiting-slides.ts";
import type { NewSlide } from "#shared/slides.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

const lectureId = "lecture";
const createSlide = (id: string): Omit<WaitingSlide, "userId"> => ({
  lectureId,
  slide: {
    id,
    rowId: null,
    atMs: 0,
    page: null,
    fileName: null,
    source: "screen",
    text: "",
    placedBy: "time",
    width: 10,
    height: 10,
  },
  full: new Blob([`full ${id}`]),
  thumbnail: new Blob([`thumbnail ${id}`]),
});

/** A queue with a server that has what it was sent, and a disk that outlives the queue. */
function setUp(disk = new Map<string, WaitingSlide>()) {
  const clock = new ManualClock();
  const server = { slides: new Map<string, NewSlide>(), pictures: [] as string[] };
  const answer = vi.fn(async () => {});
  const refused = vi.fn();
  const queue = new SlideQueue({
    userId: "user",
    clock,
    store: {
      list: async () => [...disk.values()],
      put: async (waiting) => void disk.set(waiting.slide.id, waiting),
      remove: async (id) => void disk.delete(id),
    },
    async save(_lectureId, slides) {
      await answer();
      for (const slide of slides) server.slides.set(slide.id, slide);
    },
    async send(id, kind) {
      await answer();
      server.pictures.push(`${id} ${kind}`);
    },
    onSaved: async () => {},
    onRefused: refused,
  });
  return { queue, clock, server, answer, refused, disk };
}

const lost = () => Promise.reject(new ApiError("unavailable", true));

it("sends slides with their pictures, and keeps none of them afterwards", async () => {
  const { queue, server, disk } = setUp();
  await queue.add(["a", "b"].map(createSlide));
  expect([...server.slides.keys()]).toEqual(["a", "b"]);
  expect(server.pictures).toEqual(["a full", "a thumbnail", "b full", "b thumbnail"]);
  expect(queue.waiting.get()).toEqual([]);
  expect(disk.size).toBe(0);
});

it("keeps what could not be sent, and sends it later, also after a reload", async () => {
  const first = setUp();
  first.answer.mockImplementation(lost);
  await first.queue.add([createSlide("a")]);
  expect(first.queue.waiting.get()).toHaveLength(1);
  expect([...first.disk.keys()]).toEqual(["a"]);

  first.answer.mockImplementation(async () => {});
  const second = setUp(new Map(first.disk));
  await second.queue.restore();
  expect(second.server.pictures).toEqual(["a full", "a thumbnail"]);

  await first.clock.advance(120_000);
  await vi.waitFor(() => expect(first.server.pictures).toHaveLength(2));
  expect(first.queue.waiting.get()).toEqual([]);
});

it("saves a slide again that was moved while it was sent", async () => {
  const { queue, server, answer } = setUp();
  let calls = 0;
  answer.mockImplementation(async () => {
    calls += 1;
    if (calls === 2) queue.change("a", { rowId: "row", placedBy: "person" });
  });
  await queue.add([createSlide("a")]);
  expect(server.slides.get("a")).toMatchObject({ rowId: "row", placedBy: "person" });
  expect(queue.waiting.get()).toEqual([]);
});

it("says what the server refuses, and goes on with what is behind", async () => {
  const { queue, server, answer, refused, disk } = setUp();
  answer.mockRejectedValueOnce(new ApiError("lecture_full", false));
  await queue.add([createSlide("a")]);
  expect(refused).toHaveBeenCalledWith(expect.objectContaining({ code: "lecture_full" }), 1);
  await queue.add([createSlide("b")]);
  expect([...server.slides.keys()]).toEqual(["b"]);
  expect(disk.size).toBe(0);
});
