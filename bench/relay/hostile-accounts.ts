import { createRandom, createZipf, toEnglishWord, vocabulary } from "#bench/library-data.ts";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import { guestTicketHeader } from "#shared/site.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { AttackCounter } from "./attack-counter.ts";
import type { Recording } from "./stack.ts";

/** Attacks with tRPC calls: by five accounts, and without signing in from the same five network addresses. */
export interface AccountsPlan {
  url: string;
  accounts: Recording[];
}

interface Flood {
  name: string;
  perSecond: number;
  /** Limit of calls in progress; further calls are skipped. */
  atOnce: number;
  /** The n-th call, or null for none. */
  call(n: number): Call | null;
  /** Receives the beginning of a successful answer. */
  accepted?(answer: string): unknown;
}

interface Call {
  procedures: string[];
  /** For each procedure. */
  input: object;
  isQuery?: boolean;
  /** The answer is streamed; tRPC streams only batches. */
  isStream?: boolean;
  headers: Record<string, string>;
}

const entriesPerAppend = 200;
const charactersPerEntry = 20_000;
/** Limit of accepted appends: a server without limits would fill this machine's disk. */
const appendsMax = 12;
const translationCharacters = 5_000;
const contextCharacters = 20_000;
const summaryCharacters = 500_000;
const signInsPerBatch = 10;
/** Answers are read completely, but only this much is kept. */
const keptBytes = 65_536;

const abort = new AbortController();
const hasAnswer = Promise.withResolvers<void>();
const timers: NodeJS.Timeout[] = [];
const counter = new AttackCounter();
const { url, accounts } = await receiveInput<AccountsPlan>(stop);

const random = createRandom(12);
const rank = createZipf(vocabulary.english, random);
const words = Array.from({ length: summaryCharacters / 5 }, () => toEnglishWord(rank())).join(" ");
const tickets: string[] = [];

const [appender, searcher, translator, summarizer, creator] = accounts;
const fromAddress = (index: number) => ({
  "cf-connecting-ip": `198.51.${index % accounts.length}.1`,
});
const as = (account: Recording | undefined) => ({
  cookie: account?.cookie ?? "",
  ...fromAddress(account ? accounts.indexOf(account) : 0),
});
const translation = (n: number) => ({
  text: `${n} ${words}`.slice(0, translationCharacters),
  targetLanguage: "zh-cn",
  context: "",
  wordContext: "",
});

/** Appends to the account's lecture until `max` appends were accepted. */
function createAppends(account: Recording | undefined, name: string, max: number): Flood {
  let accepted = 0;
  return {
    name,
    perSecond: 1,
    atOnce: 1,
    call() {
      if (accepted === max) return null;
      const entries = createEntries(accepted * entriesPerAppend);
      const input = { lectureId: account?.lectureId, entries, deleted: [] };
      return { procedures: ["lectures.saveRows"], input, headers: as(account) };
    },
    accepted() {
      accepted++;
    },
  };
}

const floods: Flood[] = [
  {
    name: "sign-in with a wrong password, 10 a batch",
    perSecond: 2,
    atOnce: 8,
    call: (n) => ({
      procedures: Array<string>(signInsPerBatch).fill("auth.signIn"),
      input: { email: `${n}@bench.invalid`, password: "wrong password" },
      headers: fromAddress(n),
    }),
  },
  createAppends(appender, "`lectures.saveRows` of 4 MB", appendsMax),
  {
    name: "`lectures.get` of that lecture",
    perSecond: 10,
    atOnce: 10,
    call: () => ({
      procedures: ["lectures.get"],
      input: { id: appender?.lectureId },
      isQuery: true,
      headers: as(appender),
    }),
  },
  createAppends(searcher, "`lectures.saveRows`, to be searched", 2),
  {
    name: "`lectures.search` in that",
    perSecond: 20,
    atOnce: 10,
    call: (n) => ({
      procedures: ["lectures.search"],
      input: { query: words.slice(n % 1_000, (n % 1_000) + 40), cursor: null },
      isQuery: true,
      headers: as(searcher),
    }),
  },
  {
    name: "`lectures.create`",
    perSecond: 20,
    atOnce: 10,
    call: () => ({
      procedures: ["lectures.create"],
      input: { id: crypto.randomUUID(), title: "Bench", targetLanguage: "none" },
      headers: as(creator),
    }),
  },
  {
    name: "`ai.translate` of 5,000 characters",
    perSecond: 20,
    atOnce: 20,
    call: (n) => ({ procedures: ["ai.translate"], input: translation(n), headers: as(translator) }),
  },
  {
    name: "`ai.context` of 20,000 characters",
    perSecond: 5,
    atOnce: 20,
    call: () => ({
      procedures: ["ai.context"],
      input: { text: words.slice(0, contextCharacters), lectureId: translator?.lectureId },
      headers: as(translator),
    }),
  },
  {
    name: "`ai.summarize` of 500,000 characters",
    perSecond: 2,
    atOnce: 10,
    call: () => ({
      procedures: ["ai.summarize"],
      input: {
        text: words.slice(0, summaryCharacters),
        targetLanguage: "zh-cn",
        lectureId: summarizer?.lectureId,
      },
      isStream: true,
      headers: as(summarizer),
    }),
  },
  {
    name: "guests' tickets",
    perSecond: 20,
    atOnce: 20,
    call: (n) => ({
      procedures: ["recording.guestTicket"],
      input: { previous: null },
      headers: fromAddress(n),
    }),
    accepted: (answer) => tickets.push(JSON.parse(answer).result.data.ticket),
  },
  {
    name: "`ai.translate` by guests, a ticket each",
    perSecond: 20,
    atOnce: 20,
    call(n) {
      const ticket = tickets.shift();
      if (ticket === undefined) return null;
      const headers = { ...fromAddress(n), [guestTicketHeader]: ticket };
      return { procedures: ["ai.translate"], input: translation(n), headers };
    },
  },
];

process.on("message", async (order: "begin" | "end") => {
  if (order === "begin") {
    timers.push(...floods.map(startFlood));
    await hasAnswer.promise;
    sendToParent({});
  } else {
    stop();
    sendToParent(counter.report());
  }
});
sendToParent({});

function stop(): void {
  for (const timer of timers) clearInterval(timer);
  abort.abort();
}

function startFlood(flood: Flood): NodeJS.Timeout {
  let pending = 0;
  let n = 0;
  return setInterval(async () => {
    counter.add(flood.name, "offered");
    const call = pending < flood.atOnce ? flood.call(n) : null;
    if (call === null) return;
    n++;
    pending++;
    try {
      await send(flood, call);
    } catch {
      if (!abort.signal.aborted) counter.add(flood.name, "broken off");
    } finally {
      pending--;
    }
  }, 1000 / flood.perSecond);
}

async function send(flood: Flood, call: Call): Promise<void> {
  const { procedures, input, isQuery, isStream, headers } = call;
  const isBatch = procedures.length > 1 || isStream;
  const body = JSON.stringify(
    isBatch ? Object.fromEntries(procedures.map((_, index) => [index, input])) : input,
  );
  const path = `${url}/trpc/${procedures.join(",")}`;
  const response = isQuery
    ? await fetch(`${path}?input=${encodeURIComponent(body)}`, { headers, signal: abort.signal })
    : await fetch(`${path}${isBatch ? "?batch=1" : ""}`, {
        method: "POST",
        headers: {
          ...headers,
          origin: url,
          "content-type": "application/json",
          ...(isStream ? { "trpc-accept": "application/jsonl" } : {}),
        },
        body,
        signal: abort.signal,
      });
  const answer = await readBeginning(response);
  const codes = [...answer.matchAll(/"appCode":"(\w+)"/g)].map(([, code]) => code);
  hasAnswer.resolve();
  for (const code of codes) counter.add(flood.name, `${code}`);
  if (codes.length > 0) return;
  counter.add(flood.name, response.ok ? "accepted" : `${response.status}`);
  if (response.ok) flood.accepted?.(answer);
}

async function readBeginning(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    if (bytes < keptBytes) parts.push(part);
    bytes += part.length;
  }
  return Buffer.concat(parts).toString();
}

/** New rows, of which the first has the ordinal `from`. */
function createEntries(from: number): object[] {
  const entries = Array.from({ length: entriesPerAppend }, (_, index) =>
    createEntry(words.slice(index * 10, index * 10 + charactersPerEntry), index, { endMs: index }),
  );
  return numberRows(entries, from);
}
