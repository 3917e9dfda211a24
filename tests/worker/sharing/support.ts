import { SELF } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { shares } from "#drizzle/schema.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import type { PaidTier } from "#shared/plans.ts";
import {
  type CreatedShare,
  type ShareClientMessage,
  type ShareMode,
  type ShareServerMessage,
  shareServerMessage,
} from "#shared/share.ts";
import { applyShareMessage, type ShareView } from "#shared/share-view.ts";
import { createEntry as createRow } from "#tests/fixtures/create-entry.ts";
import { services } from "#tests/worker/recording/support.ts";
import { openSignedIn, origin } from "#tests/worker/support/browser.ts";

export const getShareRoom = (shareId: string) => env.SHARE_ROOM.getByName(shareId);

export interface ReaderOptions {
  code: string;
  /** Empty: a page of the version before. */
  probes?: string;
  language?: TargetLanguage;
  epoch?: string;
  since?: number;
}

/** Requests the upgrade from the network address `address`. */
export function openShare(
  { code, probes = "1", ...rest }: ReaderOptions,
  headers: Record<string, string> = {},
): Promise<Response> {
  const url = new URL(`${origin}/api/shares`);
  url.searchParams.set("code", code);
  url.searchParams.set("probes", probes);
  for (const [name, value] of Object.entries(rest)) url.searchParams.set(name, String(value));
  return SELF.fetch(url.href, { headers: { upgrade: "websocket", origin, ...headers } });
}

/** A reader's page. */
export class ReaderPage {
  view: ShareView | null = null;
  readonly received: ShareServerMessage[] = [];
  readonly frames: string[] = [];
  readonly probes: string[] = [];
  /** Otherwise it does as if it read nothing. */
  answersProbes = true;
  closed: number | null = null;

  constructor(readonly socket: WebSocket) {
    socket.accept();
    socket.addEventListener("message", ({ data }) => {
      this.frames.push(String(data));
      if (data === "pong") return;
      const message = shareServerMessage.parse(JSON.parse(String(data)));
      if (message.type === "probe") {
        this.probes.push(message.probe);
        if (this.answersProbes) this.send(message);
        return;
      }
      this.received.push(message);
      this.view = applyShareMessage(this.view, message);
    });
    socket.addEventListener("close", ({ code }) => {
      this.closed = code;
    });
  }

  static async open(options: ReaderOptions, headers?: Record<string, string>): Promise<ReaderPage> {
    const { webSocket, status } = await openShare(options, headers);
    if (!webSocket) throw new Error(`no upgrade: ${status}`);
    return new ReaderPage(webSocket);
  }

  send(message: ShareClientMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  get texts(): string[] {
    return [...(this.view?.rows.values() ?? [])]
      .sort((a, b) => a.position - b.position)
      .map(({ original }) => original);
  }

  /** By position. */
  get translations(): (string | null)[] {
    return this.texts.map((_, position) => this.view?.translations.get(position)?.text ?? null);
  }

  get end(): string | null {
    const last = this.received.at(-1);
    return last?.type === "closed" ? last.reason : null;
  }
}

export const createEntry = (
  original: string,
  ordinal: number,
  over: Partial<TranscriptEntry> = {},
): TranscriptEntry =>
  createRow(original, ordinal * 1_000, {
    ordinal,
    translated: `fr: ${original}`,
    translatedInto: "fr",
    speaker: "1",
    ...over,
  });

/** A row that is written with it counts as the change of whichever version is stored. */
const laterThanAny = 1_000_000;

/** A signed-in owner with a shared lecture of two sentences, translated into French. */
export async function shareLecture({
  texts = ["Light is a wave.", "It is also a particle."],
  tier,
  ...settings
}: {
  tier?: PaidTier;
  mode?: ShareMode;
  mayCopy?: boolean;
  texts?: string[];
} = {}) {
  const owner = await openSignedIn();
  const lectureId = crypto.randomUUID();
  const { trpc } = owner;
  if (tier) await trpc.subscriptions.simulatePayment.mutate({ tier });
  await trpc.lectures.create.mutate({ id: lectureId, title: "Optics", targetLanguage: "fr" });
  const entries = texts.map((text, index) => createEntry(text, index));
  const ids = entries.map(({ id }) => id);
  if (entries.length > 0) await trpc.lectures.saveRows.mutate({ lectureId, entries, deleted: [] });
  const share: CreatedShare = await trpc.shares.create.mutate({
    lectureId,
    mode: "until_revoked",
    mayCopy: true,
    ...settings,
  });
  /** A new row, or a change of the one that has this ordinal. */
  const createRowAt = (text: string, ordinal: number, over: Partial<TranscriptEntry> = {}) => {
    const stored = ids[ordinal];
    const id = stored ?? crypto.randomUUID();
    ids[ordinal] = id;
    return createEntry(text, ordinal, { id, seq: stored ? laterThanAny : 0, ...over });
  };
  /** Appends or changes one row. */
  const addRow = (text: string, ordinal: number, over: Partial<TranscriptEntry> = {}) =>
    trpc.lectures.saveRows.mutate({
      lectureId,
      entries: [createRowAt(text, ordinal, over)],
      deleted: [],
    });
  return { ...owner, lectureId, share, code: share.code, createRowAt, addRow };
}

export async function readShareRow(id: string) {
  const [row] = await services.db.select().from(shares).where(eq(shares.id, id));
  return row;
}

/** The languages into which the model was asked to translate `text`. */
export async function listCalls(text = ""): Promise<(string | null)[]> {
  const url = services.env.llm.baseUrl.replace(/v1$/, "open");
  const response = await fetch(`${url}?match=${encodeURIComponent(text)}`);
  return ((await response.json()) as { languages: (string | null)[] }).languages;
}
