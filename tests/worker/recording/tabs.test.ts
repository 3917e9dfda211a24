import { runInDurableObject, SELF } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { RecordingRoom } from "#worker/durable/recording-room.ts";
import {
  createRecorder,
  getRecordingUrl,
  getRoom,
  Line,
  origin,
  upgrade,
  useUp,
} from "./support.ts";

async function openLine(lectureId: string, cookie: string, query: Record<string, string>) {
  const path = `${getRecordingUrl(lectureId)}?${new URLSearchParams(query)}`;
  const { webSocket } = await upgrade(path, { cookie });
  if (!webSocket) throw new Error("no upgrade");
  return new Line(webSocket);
}

describe("tabs of one lecture", () => {
  it("take over only if a person records there; the other tab is refused", async () => {
    const { lectureId, cookie } = await createRecorder();
    const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
    const first = await openLine(lectureId, cookie, { tab: a });
    await first.message("ready");
    const byItself = await openLine(lectureId, cookie, { tab: b });
    expect(await byItself.message("disconnected")).toMatchObject({ code: 4001 });
    expect(await byItself.closing()).toMatchObject({ code: 4001 });
    expect(first.closed).toBeNull();
    const again = await openLine(lectureId, cookie, { tab: a });
    await again.message("ready");
    expect(await first.closing()).toMatchObject({ code: 4001 });
    const byPerson = await openLine(lectureId, cookie, { tab: b, takeover: "1" });
    await byPerson.message("ready");
    expect(await again.closing()).toMatchObject({ code: 4001 });
  });
});

describe("a check before a recording", () => {
  const ask = async (recordingId: string, headers: Record<string, string>) => {
    const response = await SELF.fetch(`${getRecordingUrl(recordingId)}?ask=1`, { headers });
    expect(response.status).toBe(200);
    return response.json();
  };

  it("is answered without an error, and reports other refusals before a missing lecture", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    const headers = { cookie, origin };
    expect(await ask(lectureId, headers)).toEqual({ refusal: null });
    expect(await ask(crypto.randomUUID(), headers)).toEqual({ refusal: "not_found" });
    await useUp(userId, 3_600_000);
    expect(await ask(crypto.randomUUID(), headers)).toEqual({ refusal: "allowance_exhausted" });
  });
});

describe("a socket's close", () => {
  it.each([0, 999, 1004, 1005, 1006, 1015, 5_000])(
    "with %i frees the room's place",
    async (code) => {
      const { lectureId, cookie } = await createRecorder();
      const gone = await openLine(lectureId, cookie, { tab: crypto.randomUUID() });
      await gone.message("ready");
      await runInDurableObject(getRoom(lectureId), (room: RecordingRoom, state) => {
        const [socket] = state.getWebSockets();
        if (socket) room.webSocketClose(socket, code);
      });
      const next = await openLine(lectureId, cookie, { tab: crypto.randomUUID() });
      await next.message("ready");
    },
  );
});
