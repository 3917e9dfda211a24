import { expect, test } from "vitest";
import { ShareConnection } from "#client/features/live/share-connection.ts";
import type { SocketHandlers } from "#client/lib/socket.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import type { ShareServerMessage } from "#shared/share.ts";
import { shareUnreadCode } from "#shared/site.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { row } from "./rows.ts";

const epoch = "7d3f0c9e-0000-4000-8000-000000000000";

const snapshot = (
  language: TargetLanguage,
  over: Partial<Extract<ShareServerMessage, { type: "snapshot" }>> = {},
): ShareServerMessage => ({
  type: "snapshot",
  epoch,
  seq: 3,
  language,
  isLanguageRefused: false,
  pagesLeft: 0,
  lecture: {
    title: "Entropy",
    speakerNames: {},
    mode: "while_recording",
    sourceLanguage: "en",
    targetLanguage: "zh-cn",
    isTwoWay: false,
    mayCopy: true,
    languages: ["zh-cn", "es"],
  },
  summary: null,
  status: "live",
  isTranslationPaused: false,
  live: null,
  rows: [row(0)],
  translations: [],
  ...over,
});

/** A reader's connection, and the server's end of it that a test plays. */
function open(language: TargetLanguage = "es") {
  const clock = new ManualClock();
  const sent: unknown[] = [];
  const paths: string[] = [];
  const sockets: SocketHandlers[] = [];
  const connection = new ShareConnection(
    {
      clock,
      random: () => 0.5,
      connect(path, handlers) {
        paths.push(path);
        sockets.push(handlers);
        return { send: (data) => sent.push(data), close: () => {} };
      },
    },
    "secret",
    language,
  );
  const newest = () => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error("No socket was opened");
    return socket;
  };
  return {
    clock,
    sent,
    sockets,
    connection,
    newest,
    reading: () => connection.reading.get(),
    receive: (message: ShareServerMessage) => newest().message(JSON.stringify(message)),
    query: () => {
      const params = new URLSearchParams(paths.at(-1)?.split("?")[1]);
      const { probes, ...query } = Object.fromEntries(params);
      expect(probes).toBe("1");
      return query;
    },
  };
}

function opened(language: TargetLanguage = "es") {
  const reader = open(language);
  reader.newest().open();
  reader.receive(snapshot(language));
  return reader;
}

test("connects with its language and shows the snapshot", () => {
  const { query, reading } = opened();
  expect(query()).toEqual({ code: "secret", language: "es" });
  expect(reading()).toMatchObject({ connection: "open", end: null, view: { seq: 3 } });
});

test("continues after a loss with what it has, and says when it has caught up", async () => {
  const { clock, newest, receive, reading, query, sockets } = opened();
  newest().close(1006, "");
  expect(reading().connection).toBe("lost");
  await clock.advance(1_000);
  expect(sockets).toHaveLength(2);
  expect(query()).toEqual({ code: "secret", language: "es", epoch, since: "3" });
  newest().open();
  expect(reading().connection).toBe("catchingUp");
  receive({ type: "delta", from: 3, to: 5, rows: [row(0, "Corrected."), row(1)] });
  expect(reading().connection).toBe("open");
  expect([...(reading().view?.rows.values() ?? [])].map(({ original }) => original)).toEqual([
    "Corrected.",
    "Sentence 1.",
  ]);
});

test("sends a probe back, which says that it has read so far, and shows nothing of it", () => {
  const { receive, reading, sent } = opened();
  const before = reading();
  const probe: ShareServerMessage = { type: "probe", probe: "0123456789abcdef" };
  receive(probe);
  expect(sent.map((frame) => JSON.parse(String(frame)))).toEqual([probe]);
  expect(reading()).toBe(before);
});

test("connects again at once with what it has, when it was closed for not reading", async () => {
  const { clock, newest, query, sockets } = opened();
  newest().close(shareUnreadCode, "");
  await clock.advance(0);
  expect(sockets).toHaveLength(2);
  expect(query()).toEqual({ code: "secret", language: "es", epoch, since: "3" });
});

test("asks for everything after a gap, a message that it does not know, or an incomplete snapshot", async () => {
  for (const message of [
    { type: "delta", from: 4, to: 5 },
    { type: "news" },
    { type: "__proto__" },
    null,
  ]) {
    const { clock, newest, query, reading } = opened();
    newest().message(JSON.stringify(message));
    expect(reading().connection).toBe("lost");
    await clock.advance(1_000);
    expect(query()).toEqual({ code: "secret", language: "es" });
  }
  const { clock, newest, receive, query, reading } = open();
  newest().open();
  receive(snapshot("es", { pagesLeft: 1 }));
  newest().close(1006, "");
  expect(reading().view?.rows.size).toBe(1);
  await clock.advance(1_000);
  expect(query()).toEqual({ code: "secret", language: "es" });
});

test("waits longer after each failure, until a connection was stable", async () => {
  const { clock, newest, sockets, receive } = open();
  for (const delayMs of [1_000, 1_600, 2_560]) {
    const before = sockets.length;
    newest().close(1006, "");
    await clock.advance(delayMs - 1);
    expect(sockets).toHaveLength(before);
    await clock.advance(1);
    expect(sockets).toHaveLength(before + 1);
  }
  newest().open();
  receive(snapshot("es"));
  await clock.advance(10_000);
  const before = sockets.length;
  newest().close(1006, "");
  await clock.advance(1_000);
  expect(sockets).toHaveLength(before + 1);
});

test("reconnects at once when the network is back, and drops a connection without one", () => {
  const { connection, reading, sockets, newest, receive } = opened();
  connection.lose();
  connection.lose();
  expect(reading().connection).toBe("lost");
  connection.wake();
  expect(sockets).toHaveLength(2);
  newest().open();
  receive({ type: "delta", from: 3, to: 3 });
  expect(reading().connection).toBe("open");
});

test("checks a connection on waking, and lets go of one that does not answer", async () => {
  const { connection, clock, sent, reading, newest } = opened();
  connection.wake();
  expect(sent).toEqual(["ping"]);
  newest().message("pong");
  await clock.advance(10_000);
  expect(reading().connection).toBe("open");
  connection.wake();
  await clock.advance(10_000);
  expect(reading().connection).toBe("lost");
});

test("sends only its language and pings", async () => {
  const { connection, clock, sent, reading, receive } = opened();
  connection.chooseLanguage("fr");
  expect(sent).toEqual(['{"type":"language","language":"fr"}']);
  receive({ type: "language", language: "fr", isLanguageRefused: false, pagesLeft: 0 });
  expect(reading()).toMatchObject({ language: "fr", refused: null, view: { language: "fr" } });
  await clock.advance(30_000);
  expect(sent.at(-1)).toBe("ping");
});

test("goes back to what it had when a language is refused, and names it", () => {
  const { connection, receive, reading } = opened();
  connection.chooseLanguage("fr");
  receive({ type: "language", language: "es", isLanguageRefused: true, pagesLeft: 0 });
  expect(reading()).toMatchObject({ language: "es", refused: "fr", view: { language: "es" } });

  const joining = open("ja");
  joining.newest().open();
  joining.receive(snapshot("none", { isLanguageRefused: true }));
  expect(joining.reading()).toMatchObject({ language: "none", refused: "ja" });
});

test("takes the answers to two choices on the way as they come", () => {
  const choose = () => {
    const reader = opened();
    reader.connection.chooseLanguage("fr");
    reader.connection.chooseLanguage("ja");
    reader.receive({ type: "language", language: "es", isLanguageRefused: true, pagesLeft: 0 });
    return reader;
  };
  const accepted = choose();
  accepted.receive({ type: "language", language: "ja", isLanguageRefused: false, pagesLeft: 0 });
  expect(accepted.reading()).toMatchObject({ language: "ja", refused: null });
  expect(accepted.reading().view).toMatchObject({ language: "ja" });

  const refused = choose();
  refused.receive({ type: "language", language: "es", isLanguageRefused: true, pagesLeft: 0 });
  expect(refused.reading()).toMatchObject({ language: "es", refused: "ja" });
});

test("asks with a language that was chosen without a connection", async () => {
  const { connection, clock, newest, query } = opened();
  newest().close(1006, "");
  connection.chooseLanguage("fr");
  await clock.advance(1_000);
  expect(query()).toEqual({ code: "secret", language: "fr" });
});

test.each(["unknown", "ended", "full", "rate_limited", "invalid"] as const)(
  "stays closed after %s until it is told to try again",
  async (reason) => {
    const { connection, clock, newest, receive, reading, sockets } = opened();
    receive({ type: "closed", reason });
    newest().close(1008, "");
    connection.wake();
    connection.lose();
    await clock.advance(120_000);
    expect(reading()).toMatchObject({ connection: "closed", end: reason, view: { seq: 3 } });
    expect(sockets).toHaveLength(1);
    connection.retry();
    expect(sockets).toHaveLength(2);
    expect(reading()).toMatchObject({ connection: "lost", end: null });
  },
);
