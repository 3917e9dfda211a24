import type { Recordings } from "../../server/ports.ts";
import type { RecordingRoom } from "../durable/recording-room.ts";

/** Recordings under way, each in its Durable Object. */
export function recordingRooms(rooms: DurableObjectNamespace<RecordingRoom>): Recordings {
  return {
    async stop({ recordingId, userId }) {
      await rooms.getByName(recordingId).stopDeleted(userId);
    },
  };
}
