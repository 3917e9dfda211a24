/** What the rest of the worker calls on a recording's room, apart from the upgrade. */
export interface RoomCalls extends Rpc.DurableObjectBranded {
  /** Ends the recording of a lecture that its user is deleting. */
  stopDeleted(userId: string): void;
  /** Asks again whether the user may record here: sessions of theirs have ended. */
  sessionsEnded(userId: string): void;
}
