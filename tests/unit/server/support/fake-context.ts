import type { Context } from "#server/context.ts";
import { AnswerBudget } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import type { LogFields, Mail, RateLimiter, ShareChange } from "#server/ports.ts";
import { FakeBilling } from "./fake-billing.ts";
import { prices } from "./prices.ts";

/** A limiter that records its keys and refuses those in `refused`. */
export function createRecordingLimiter(refused: string[] = []): RateLimiter & { keys: string[] } {
  const keys: string[] = [];
  return {
    keys,
    async allow(key) {
      keys.push(key);
      return !refused.includes(key);
    },
  };
}

/** A context with recording fakes as ports; `over` replaces fields. */
export function createFakeContext(db: Database, over: Partial<Context> = {}) {
  const logged: { level: string; event: string; fields: LogFields | undefined }[] = [];
  const log = (level: string) => (event: string, fields?: LogFields) =>
    void logged.push({ level, event, fields });
  const verified: { phc: string; password: string }[] = [];
  const mails: Mail[] = [];
  const stopped: { recordingId: string; userId: string }[] = [];
  const reauthorized: { recordingId: string; userId: string }[] = [];
  const shareChanges: (ShareChange & { shareId: string })[] = [];
  const endedShares: string[] = [];
  const background: Promise<void>[] = [];
  const posted: { url: string; headers: Record<string, string>; body: string }[] = [];
  const changed: string[] = [];
  const ended: string[] = [];
  const lectureNews: { userId: string; lectureId: string; pageId: string | null }[] = [];
  const prompts: { system: string; user: string }[] = [];
  const context: Context = {
    db,
    clock: { now: () => new Date("2026-11-20T12:00:00.000Z") },
    logger: { info: log("info"), warn: log("warn"), error: log("error") },
    llm: {
      contextTokens: 128_000,
      async complete(prompt) {
        prompts.push(prompt);
        return "译文";
      },
      async *stream(prompt) {
        prompts.push(prompt);
        yield* ["摘", "要"];
      },
    },
    hasher: {
      hash: async (password) => `hash of ${password}`,
      async verify(phc, password) {
        verified.push({ phc, password });
        return phc === `hash of ${password}`;
      },
      needsUpgrade: () => false,
    },
    mailer: {
      async send(mail) {
        mails.push(mail);
      },
    },
    billing: new FakeBilling(),
    challenge: null,
    userEvents: {
      async reportProfileChange(userId) {
        changed.push(userId);
      },
      async reportLectureChange(userId, news) {
        lectureNews.push({ userId, ...news });
      },
      async reportEndedSessions(userId) {
        ended.push(userId);
      },
    },
    recordings: {
      async stop(recording) {
        stopped.push(recording);
      },
      async reportEndedSessions(recording) {
        reauthorized.push(recording);
      },
      async scheduleDeletion() {},
    },
    shareRooms: {
      async reportChange(shareId, change) {
        shareChanges.push({ shareId, ...change });
      },
      async end(shareIds) {
        endedShares.push(...shareIds);
      },
      async scheduleDeletion() {},
      countReaders: async () => 3,
    },
    accountCalls: { addCalls() {} },
    webhookSender: {
      isAllowed: async () => true,
      async post(url, message) {
        posted.push({ url, ...message });
        return 204;
      },
    },
    limits: {
      credentials: createRecordingLimiter(),
      mails: createRecordingLimiter(),
      links: createRecordingLimiter(),
      guestTickets: createRecordingLimiter(),
      translations: createRecordingLimiter(),
      contexts: createRecordingLimiter(),
      summaries: createRecordingLimiter(),
      guestNetworks: createRecordingLimiter(),
      recordings: createRecordingLimiter(),
      readers: createRecordingLimiter(),
      streams: createRecordingLimiter(),
      paidStreams: createRecordingLimiter(),
      billing: createRecordingLimiter(),
      writes: createRecordingLimiter(),
      programs: createRecordingLimiter(),
      oauth: createRecordingLimiter(),
      remoteFiles: createRecordingLimiter(),
      unknownSecrets: createRecordingLimiter(),
    },
    requestId: "request",
    session: null,
    token: null,
    recovery: null,
    guest: null,
    addressKey: null,
    networkKey: null,
    takesStream: false,
    answerBudget: new AnswerBudget(),
    pageId: null,
    hasFormerRows: false,
    cookieHeader: null,
    signedOnAs: null,
    remoteAddress: null,
    responseHeaders: new Headers(),
    runInBackground: (work) => void background.push(work),
    settings: {
      guestTicketSecret: "a secret of tests that is long enough",
      secureCookies: true,
      speechService: "Soniox",
      recognizer: "soniox",
      lacksModel: false,
      lacksPlans: false,
      signUp: { rule: "open", domains: [] },
      guestMinutesPerDay: 30,
      standIns: { speech: true, llm: false, mail: true, payments: true },
      isDemoDefault: false,
      outboxUrl: "http://127.0.0.1:1/mail/",
      challenge: null,
      origin: "https://dualect.test",
      billing: { mode: "test", prices, annualSavingPercent: 20 },
      dailyLimits: { accounts: 2_000, mails: 5_000 },
      modelBudget: { guests: 200_000_000, site: 1_000_000_000 },
    },
    ...over,
  };
  return {
    context,
    logged,
    verified,
    prompts,
    mails,
    stopped,
    reauthorized,
    shareChanges,
    endedShares,
    background,
    posted,
    changed,
    ended,
    lectureNews,
  };
}

/** The session of `user` as the middleware returns it. */
export const createSession = (user: { id: string; email: string }) => ({
  id: `session of ${user.id}`,
  user: { ...user, emailVerified: false },
  expiresAt: new Date("2026-12-20T12:00:00.000Z"),
});
