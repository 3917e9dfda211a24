import type { Recordings } from "#server/ports.ts";

/** RPC methods of a recording's room. */
export interface RoomCalls extends Rpc.DurableObjectBranded {
  /** Ends the recording of a lecture that its user is deleting. */
  stopDeleted(userId: string): void;
  /** Sign-in sessions of the user have ended: checks again whether the user may record here. */
  reportEndedSessions(userId: string): void;
  /** From now on forwards words and state to the user's share, in place of an earlier one. */
  startSharing(userId: string, shareId: string): void;
  /** Makes sure that a room of an earlier version deletes what it has stored. */
  scheduleDeletion(): void;
  /** The share has ended. */
  stopSharing(shareId: string): void;
}

/** Recordings under way, each in its Durable Object. */
export function connectRecordingRooms(rooms: DurableObjectNamespace<RoomCalls>): Recordings {
  return {
    stop: ({ recordingId, userId }) => rooms.getByName(recordingId).stopDeleted(userId),
    reportEndedSessions: ({ recordingId, userId }) =>
      rooms.getByName(recordingId).reportEndedSessions(userId),
    scheduleDeletion: (recordingId) => rooms.getByName(recordingId).scheduleDeletion(),
  };
}
