import type { Logger, ShareChange, ShareRooms } from "#server/ports.ts";
import type { SharedSpeech } from "#server/sharing/room/events.ts";

/** RPC methods of a share's object, which is named by the share's id. */
export interface ShareRoomCalls extends Rpc.DurableObjectBranded {
  changed(shareId: string, change: ShareChange): Promise<void>;
  /** The share has ended in the database. */
  ended(shareId: string): Promise<void>;
  countReaders(): Promise<number>;
  /** Words and state of the lecture's recording. False if the share has ended: nothing more is expected. */
  spoken(shareId: string, speech: SharedSpeech): Promise<boolean>;
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
    changed: (id, change) => attempt(id, rooms.getByName(id).changed(id, change), undefined),
    async end(ids) {
      await Promise.all(ids.map((id) => attempt(id, rooms.getByName(id).ended(id), undefined)));
    },
    countReaders: (id) => attempt(id, rooms.getByName(id).countReaders(), 0),
  };
}
