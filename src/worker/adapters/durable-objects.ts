import type {
  Logger,
  Recordings,
  ShareChange,
  ShareRooms,
  UserChannelCalls,
  UserEvents,
} from "#server/ports.ts";
import type { SharedSpeech } from "#server/sharing/room/events.ts";

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

/** RPC methods of a share's object, which is named by the share's id. */
export interface ShareRoomCalls extends Rpc.DurableObjectBranded {
  reportChange(shareId: string, change: ShareChange): Promise<void>;
  /** The share has ended in the database. */
  reportEnd(shareId: string): Promise<void>;
  /** Reads the share, and deletes what is stored if it has ended; otherwise this is repeated every day. */
  scheduleDeletion(shareId: string): Promise<void>;
  countReaders(): Promise<number>;
  /** Words and state of the lecture's recording. False if the share has ended: nothing more is expected. */
  reportSpeech(shareId: string, speech: SharedSpeech): Promise<boolean>;
}

/** Calls the objects of shares. A failed call is only logged: objects check their shares every few minutes. */
export function connectShareRooms(
  rooms: DurableObjectNamespace<ShareRoomCalls>,
  logger: Logger,
): ShareRooms {
  const attempt = async <T>(shareId: string, call: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await call;
    } catch {
      logger.warn("share_not_reached", { shareId });
      return otherwise;
    }
  };
  return {
    reportChange: (id, change) =>
      attempt(id, rooms.getByName(id).reportChange(id, change), undefined),
    async end(ids) {
      await Promise.all(ids.map((id) => attempt(id, rooms.getByName(id).reportEnd(id), undefined)));
    },
    scheduleDeletion: (id) => rooms.getByName(id).scheduleDeletion(id),
    countReaders: (id) => attempt(id, rooms.getByName(id).countReaders(), 0),
  };
}

/** Notifies the user's `UserChannel`. A failed call is only logged: tabs refresh by themselves later. */
export function connectUserEvents(
  channels: Cloudflare.Env["USER_CHANNEL"],
  logger: Logger,
): UserEvents {
  const notify = async (userId: string, call: (channel: UserChannelCalls) => Promise<void>) => {
    try {
      await call(channels.getByName(userId));
    } catch {
      logger.warn("user_event_lost", { userId });
    }
  };
  return {
    reportProfileChange: (userId) => notify(userId, (channel) => channel.reportProfileChange()),
    reportLectureChange: (userId, news) =>
      notify(userId, (channel) => channel.reportLectureChange(news)),
    reportEndedSessions: (userId) => notify(userId, (channel) => channel.reportEndedSessions()),
  };
}
