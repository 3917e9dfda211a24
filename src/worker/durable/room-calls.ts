/** RPC methods of a recording's room. */
export interface RoomCalls extends Rpc.DurableObjectBranded {
  /** Ends the recording of a lecture that its user is deleting. */
  stopDeleted(userId: string): void;
  /** Sign-in sessions of the user have ended: checks again whether the user may record here. */
  sessionsEnded(userId: string): void;
}
