import type { Recordings } from "#server/ports.ts";
import type { RoomCalls } from "#worker/durable/room-calls.ts";

/** Recordings under way, each in its Durable Object. */
export function connectRecordingRooms(rooms: DurableObjectNamespace<RoomCalls>): Recordings {
  return {
    async stop({ recordingId, userId }) {
      await rooms.getByName(recordingId).stopDeleted(userId);
    },
    async sessionsEnded({ recordingId, userId }) {
      await rooms.getByName(recordingId).sessionsEnded(userId);
    },
  };
}
