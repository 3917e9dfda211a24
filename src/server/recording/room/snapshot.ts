import * as z from "zod/mini";
import { planLevels } from "#server/recording/plan-limits.ts";
import { intakeSchema } from "./audio-intake.ts";
import { speakerTurnSchema } from "./speaker-mapping.ts";
import { placementSchema } from "./take-placement.ts";

const levelSchema = z.enum(planLevels);

/** Result of authorizing an upgrade: who may record here, until when and how much. */
export const roomGrantSchema = z.object({
  recordingId: z.string(),
  /** Null for a guest. `sessionId`: hash of the session's secret, as the table holds it. */
  user: z.nullable(z.object({ id: z.string(), sessionId: z.string() })),
  /** Keyed hash of a guest's network address; null for a user, and where the address says nothing. */
  address: z.nullable(z.string()),
  level: levelSchema,
  /** Recorded in the current period (a user's month, a guest's day) before this connection, ms. */
  usedMs: z.number(),
  limitMs: z.number(),
  /** When the session or the guest's ticket ends, ms since the epoch. */
  expiresAt: z.number(),
});
export type RoomGrant = z.infer<typeof roomGrantSchema>;

/** A socket's attachment, which identifies it after hibernation. */
export const roomSocketSchema = z.object({
  socketId: z.string(),
  grant: roomGrantSchema,
  /** Id of the browser tab; null for a client that sends none. */
  tab: z._default(z.nullable(z.string()), null),
  /** Ms since the epoch; sockets of an earlier version have none. */
  connectedAt: z._default(z.number(), 0),
});
export type RoomSocket = z.infer<typeof roomSocketSchema>;

/** Whose allowance a segment counts against: a user's, or a guest's (by ticket and address). */
const payerSchema = z.object({ userId: z.nullable(z.string()), address: z.nullable(z.string()) });
export type Payer = z.infer<typeof payerSchema>;

/** One stretch of recorded time, a row of the ledger. */
const segmentSchema = z.object({
  number: z.int(),
  payer: payerSchema,
  /** First day of the period it counts for. */
  period: z.string(),
  startedAt: z.number(),
  recordedMs: z.number(),
  closed: z.boolean(),
  /** What the ledger is known to hold; null before the first write. */
  flushed: z.nullable(z.object({ recordedMs: z.number(), closed: z.boolean() })),
});
export type Segment = z.infer<typeof segmentSchema>;

/** What a room stores to continue after an eviction. Never audio, never words. */
export const roomSnapshotSchema = z.object({
  version: z.literal(3),
  recordingId: z.string(),
  /** Null for a guest's room. */
  owner: z.nullable(z.object({ userId: z.string(), sessionId: z.string() })),
  payer: payerSchema,
  level: levelSchema,
  highSeq: z.int(),
  /** Audio charged over the whole recording, ms: `Usage.totalMs`, not the room's `totalMs`. */
  totalMs: z.number(),
  turns: z.array(speakerTurnSchema),
  nextSegment: z.int(),
  segments: z.array(segmentSchema),
  intake: intakeSchema,
  salt: z.int(),
  /** When provider sessions were opened in the last minute, ms since the epoch. */
  sessionTimes: z._default(z.array(z.number()), []),
  /** When this was stored, ms since the epoch; an earlier version did not say. */
  storedAt: z._default(z.nullable(z.number()), null),
  placement: z.nullable(placementSchema),
});
export type RoomSnapshot = z.infer<typeof roomSnapshotSchema>;

/** Parses a stored snapshot; null if it is invalid. */
export const parseSnapshot = (stored: unknown): RoomSnapshot | null =>
  roomSnapshotSchema.safeParse(stored).data ?? null;
