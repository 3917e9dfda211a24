import type { Logger, ShareChange, ShareRooms } from "#server/ports.ts";
import type { SharedSpeech } from "#server/sharing/room/events.ts";

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
