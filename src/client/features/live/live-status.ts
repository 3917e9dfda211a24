import type { ShareStatus } from "#shared/share.ts";
import type { ShareReading } from "./share-connection.ts";

/** What a reader is told of the lecture and of the connection. */
export type LiveStatus = ShareStatus | "connecting" | "lost" | "catchingUp" | "closed";

export function getLiveStatus({ view, connection }: ShareReading): LiveStatus {
  if (connection !== "open") return connection;
  return view?.status ?? "connecting";
}
