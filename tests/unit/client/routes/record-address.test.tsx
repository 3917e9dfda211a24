// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useLectureAddress } from "#client/routes/record-address.ts";
import { show as render } from "#tests/unit/client/kit/page.tsx";
import {
  createLectureInfo,
  holdRecording,
  recordingView,
} from "#tests/unit/client/kit/recording.ts";

const navigate = vi.hoisted(() => vi.fn());
const search = vi.hoisted(() => ({ now: {} as { lecture?: string; autostart?: boolean } }));
vi.mock("@tanstack/react-router", () => ({
  getRouteApi: () => ({ useSearch: () => search.now }),
  useNavigate: () => navigate,
}));
const closeDocument = vi.hoisted(() => vi.fn((_id: string): Promise<void> | null => null));
vi.mock("#client/state/document-registry.ts", () => ({ closeDocument }));
vi.mock("#client/lib/browser.ts", () => ({ canRecord: () => true }));

let open = (_id: string) => {};

beforeEach(() => {
  navigate.mockReset();
});
afterEach(async () => {
  vi.useRealTimers();
});

type Session = ReturnType<typeof holdRecording>;

function Page({ session, signedIn }: { session: Session; signedIn: boolean }) {
  open = useLectureAddress(session, signedIn).open;
  return null;
}

const show = (session: Session, signedIn = true) =>
  render(<Page session={session} signedIn={signedIn} />);

it("reloads the lecture of the address only when it failed to load", async () => {
  search.now = { lecture: "wanted" };
  const session = holdRecording();
  const load = vi.spyOn(session, "load");
  await show(session);
  expect(load.mock.calls).toEqual([["wanted"]]);
  open("wanted");
  expect(load.mock.calls).toEqual([["wanted"], ["wanted"]]);
  expect(navigate).not.toHaveBeenCalled();
  open("other");
  expect(navigate).toHaveBeenCalledWith({ to: "/record", search: { lecture: "other" } });
  const lecture = createLectureInfo({ id: "wanted", title: "Greek" });
  await act(async () => session.view.set({ ...session.view.get(), lecture }));
  open("wanted");
  expect(load).toHaveBeenCalledTimes(2);
});

/** A screen with `autostart` in its address, half a second after it was opened. */
async function autostarted(session: Session, signedIn = true) {
  vi.useFakeTimers();
  const record = vi.spyOn(session, "record");
  await show(session, signedIn);
  await act(async () => vi.advanceTimersByTime(499));
  expect(record).not.toHaveBeenCalled();
  expect(navigate).not.toHaveBeenCalled();
  await act(async () => vi.advanceTimersByTime(1));
  expect(navigate).toHaveBeenCalledOnce();
  expect(navigate.mock.lastCall?.[0].search(search.now)).not.toHaveProperty("autostart");
  return record;
}

it("records half a second after ?autostart, which is then removed from the address", async () => {
  search.now = { autostart: true };
  const session = holdRecording();
  session.view.set(recordingView({ status: "ready" }));
  expect(await autostarted(session)).toHaveBeenCalledOnce();
});

it("waits for the lecture of the address before it continues recording", async () => {
  search.now = { autostart: true, lecture: "wanted" };
  const session = holdRecording();
  session.view.set(recordingView({ status: "ready", busy: "loading" }));
  const record = await autostarted(session);
  expect(record).not.toHaveBeenCalled();
  const lecture = createLectureInfo({ id: "wanted", title: "Greek" });
  await act(async () => session.view.set(recordingView({ status: "paused", lecture })));
  await act(async () => session.view.set(recordingView({ status: "paused", lecture })));
  expect(record).toHaveBeenCalledOnce();
});

it("does not record when the lecture of the address fails to open, nor for a guest", async () => {
  search.now = { autostart: true, lecture: "wanted" };
  const session = holdRecording();
  session.view.set(recordingView({ status: "ready", busy: "loading" }));
  const record = await autostarted(session);
  await act(async () => session.view.set(recordingView({ status: "ready" })));
  expect(record).not.toHaveBeenCalled();
  navigate.mockReset();
  search.now = { autostart: true };
  const guests = holdRecording();
  guests.view.set(recordingView({ status: "ready" }));
  expect(await autostarted(guests, false)).not.toHaveBeenCalled();
});

it("does not open a lecture that was still being saved when another one was requested", async () => {
  const closing = Promise.withResolvers<void>();
  closeDocument.mockReturnValueOnce(closing.promise);
  search.now = { lecture: "first" };
  const session = holdRecording();
  await show(session);
  expect(session.load).not.toHaveBeenCalled();
  search.now = { lecture: "second" };
  await show(session);
  await act(async () => closing.resolve());
  expect(session.load.mock.calls).toEqual([["second"]]);
});

it.each([
  ["ready", "recording", 0],
  ["ready", "ready", 1],
  ["recording", "recording", 1],
] as const)(
  "does not interrupt a recording that began while a lecture was being saved: %s, then %s",
  async (before, now, times) => {
    const closing = Promise.withResolvers<void>();
    closeDocument.mockReturnValueOnce(closing.promise);
    search.now = { lecture: "wanted" };
    const session = holdRecording();
    session.view.set(recordingView({ status: before }));
    await show(session);
    await act(async () => session.view.set(recordingView({ status: now })));
    await act(async () => closing.resolve());
    expect(session.load).toHaveBeenCalledTimes(times);
  },
);
