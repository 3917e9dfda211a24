// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SessionView } from "#client/recorder/session-types.ts";
import { useLectureAddress } from "#client/routes/record-address.ts";
import { show as render } from "#tests/unit/client/kit/page.tsx";
import {
  createLectureInfo,
  holdRecording,
  recordingView,
} from "#tests/unit/client/kit/recording.ts";

interface Search {
  lecture?: string;
  autostart?: boolean;
}

const search = vi.hoisted(() => ({ now: {} as Search }));
const navigate = vi.hoisted(() =>
  vi.fn(({ search: next }: { search?: Search | ((before: Search) => Search) }) => {
    search.now = typeof next === "function" ? next(search.now) : (next ?? {});
  }),
);
vi.mock("@tanstack/react-router", () => ({
  getRouteApi: () => ({ useSearch: () => search.now }),
  useNavigate: () => navigate,
}));
vi.mock("#client/lib/browser.ts", async (load) => ({
  ...(await load<object>()),
  canRecord: () => true,
}));

let address: ReturnType<typeof useLectureAddress>;

beforeEach(() => {
  navigate.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

type Session = ReturnType<typeof holdRecording>;

function Page({ session, signedIn }: { session: Session; signedIn: boolean }) {
  address = useLectureAddress(session, signedIn);
  return null;
}

const show = (session: Session, signedIn = true) =>
  render(<Page session={session} signedIn={signedIn} />);

const info = (id: string, status: "draft" | "completed" = "draft") =>
  createLectureInfo({ id, status, title: id });

/** A session that opens each lecture at once, at first in `change`. */
function createSession(change: Partial<SessionView> = {}) {
  const session = holdRecording();
  const set = (next: Partial<SessionView>) =>
    session.view.set(recordingView({ status: "ready", canStop: false, ...next }));
  set(change);
  session.load.mockImplementation(async (id) => set({ status: "paused", lecture: info(id) }));
  session.reset.mockImplementation(async () => set({}));
  return { session, set, record: vi.spyOn(session, "record") };
}

it("shows the lecture of the address, and opens it in the session only when asked to", async () => {
  search.now = { lecture: "wanted" };
  const { session } = createSession({ status: "paused", lecture: info("held") });
  await show(session);
  expect(address.storedId).toBe("wanted");
  expect(session.load).not.toHaveBeenCalled();
  await act(async () => expect(await address.open()).toBe(true));
  expect(address.storedId).toBeNull();
  expect(search.now).toEqual({ lecture: "wanted" });
});

it("names the session's lecture in the address once it is created", async () => {
  search.now = {};
  const { session, set } = createSession();
  await show(session);
  await act(async () => set({ status: "recording", lecture: info("new") }));
  expect(address.storedId).toBeNull();
  await show(session);
  expect(search.now).toEqual({ lecture: "new" });
  expect(address.storedId).toBeNull();
});

it("stays with the lecture that is read when the session's changes", async () => {
  search.now = { lecture: "read" };
  const { session, set } = createSession({ status: "recording", lecture: info("held") });
  await show(session);
  await act(async () => set({ lecture: null }));
  await show(session);
  expect(navigate).not.toHaveBeenCalled();
  expect(address.storedId).toBe("read");
});

it("shows what is paused without a lecture in the address, and a blank sheet for a finished one", async () => {
  search.now = {};
  const { session } = createSession({ status: "paused", lecture: info("held") });
  await show(session);
  expect(search.now).toEqual({ lecture: "held" });

  search.now = {};
  const finished = createSession({ status: "paused", lecture: info("done", "completed") });
  await show(finished.session);
  expect(finished.session.reset).toHaveBeenCalledExactlyOnceWith({ quiet: true });
  await show(finished.session);
  expect(search.now).toEqual({});
});

it("stays on a lecture that is completed while it is shown", async () => {
  search.now = { lecture: "held" };
  const { session, set } = createSession({ status: "paused", lecture: info("held") });
  await show(session);
  await act(async () => set({ status: "paused", lecture: info("held", "completed") }));
  expect(session.reset).not.toHaveBeenCalled();
  expect(navigate).not.toHaveBeenCalled();
});

it("leaves the address of a lecture that the session has dropped", async () => {
  search.now = { lecture: "held" };
  const { session, set } = createSession({ status: "paused", lecture: info("held") });
  await show(session);
  await act(async () => set({}));
  expect(address.storedId).toBeNull();
  expect(search.now).toEqual({});
});

it("stops another recording for a lecture that is chosen, but not for the recorded one", async () => {
  search.now = { lecture: "read" };
  const { session } = createSession({ status: "recording", lecture: info("held") });
  await show(session);
  await act(async () => address.show("held"));
  expect(session.load).not.toHaveBeenCalled();
  await act(async () => address.show("other"));
  expect(session.load.mock.calls).toEqual([["other"]]);
  expect(search.now).toEqual({ lecture: "other" });
});

/** A screen with `autostart` in its address, half a second after it was opened. */
async function autostart(session: Session, signedIn = true) {
  vi.useFakeTimers();
  await show(session, signedIn);
  await act(async () => vi.advanceTimersByTime(499));
  expect(session.record).not.toHaveBeenCalled();
  expect(search.now.autostart).toBe(true);
  await act(async () => vi.advanceTimersByTime(1));
  expect(search.now).not.toHaveProperty("autostart");
}

it("records half a second after ?autostart, which is then removed from the address", async () => {
  search.now = { autostart: true };
  const { session, record } = createSession();
  await autostart(session);
  expect(record).toHaveBeenCalledOnce();
});

it("opens the lecture of the address before it continues recording", async () => {
  search.now = { autostart: true, lecture: "wanted" };
  const { session, set, record } = createSession({ busy: "loading" });
  await autostart(session);
  expect(session.load).not.toHaveBeenCalled();
  await act(async () => set({}));
  expect(session.load.mock.calls).toEqual([["wanted"]]);
  expect(record).toHaveBeenCalledOnce();
});

it("does not record when the lecture of the address fails to open, nor for a guest", async () => {
  search.now = { autostart: true, lecture: "wanted" };
  const { session, record } = createSession();
  session.load.mockImplementation(async () => {});
  await autostart(session);
  expect(record).not.toHaveBeenCalled();
  search.now = { autostart: true };
  const guests = createSession();
  await autostart(guests.session, false);
  expect(guests.record).not.toHaveBeenCalled();
});
