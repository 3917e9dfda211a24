import * as z from "zod/mini";
import { planLevels } from "#server/recording/plan-limits.ts";
import { createIntake, intakeSchema } from "./audio-intake.ts";
import { speakerTurnSchema } from "./speaker-mapping.ts";
import { placementSchema } from "./take-placement.ts";

const levelSchema = z.enum(planLevels);

/** Result of authorizing an upgrade: who may record here, until when and how much. */
export const roomGrantSchema = z.object({
  recordingId: z.string(),
  /** The lecture whose kept sound is recognised again; missing: the recording is its own. */
  againLectureId: z.optional(z.string()),
  /** Null for a guest. `signInSessionId`: hash of the session's secret, as the table `sessions` holds it. */
  user: z.nullable(z.object({ id: z.string(), signInSessionId: z.string() })),
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
  /** First day (UTC) of the period it counts for, `YYYY-MM-DD`. */
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
  /** As in the grant; null: missing. */
  againLectureId: z._default(z.nullable(z.string()), null),
  /** The client's user or guest: whose allowance the next audio counts against. */
  payer: payerSchema,
  level: levelSchema,
  /** Placement of the current or last take; null before the first one. */
  placement: z.nullable(placementSchema),
  /** Highest position ever accepted. */
  highSeq: z.int(),
  turns: z.readonly(z.array(speakerTurnSchema)),
  nextSegment: z.int(),
  /** Segments that differ from the ledger; the current one is last. */
  segments: z.readonly(z.array(segmentSchema)),
  intake: intakeSchema,
  /** Salts the fingerprints of chunks. */
  salt: z.int(),
  /** When provider sessions were opened in the last minute, ms since the epoch. */
  sessionTimes: z._default(z.readonly(z.array(z.number())), []),
  /** When this was stored, ms since the epoch; null if nothing is stored, or an earlier version did not say. */
  storedAt: z._default(z.nullable(z.number()), null),
});
export type RoomSnapshot = z.infer<typeof roomSnapshotSchema>;

/** For a room that has stored nothing. `random`: a salt, and the number of a segment that was never used. */
export const createSnapshot = (random: { salt: number; firstSegment: number }): RoomSnapshot => ({
  version: 3,
  recordingId: "",
  againLectureId: null,
  payer: { userId: null, address: null },
  level: "guest",
  placement: null,
  highSeq: -1,
  turns: [],
  nextSegment: random.firstSegment,
  segments: [],
  intake: createIntake(),
  salt: random.salt,
  sessionTimes: [],
  storedAt: null,
});

/** Parses a stored snapshot; null if it is invalid. */
export const parseSnapshot = (stored: unknown): RoomSnapshot | null =>
  roomSnapshotSchema.safeParse(stored).data ?? null;
