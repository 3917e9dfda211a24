import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import { encodeAudioFrame } from "#shared/relay.ts";
import { AttackCounter } from "./attack-counter.ts";
import type { Target } from "./honest.ts";

/** Attacks on rooms with sockets. A socket that is closed or rejected reconnects after a second. */
export interface SocketsPlan {
  targets: Target[];
}

interface Attack {
  name: string;
  /** Sends `config` first, like an honest recording. */
  sendsConfig: boolean;
  framesPerSecond: number;
  frame?(n: number): string | Uint8Array;
  /** Does not read answers, so they stay in the network's buffers. */
  ignoresAnswers?: boolean;
  /** Disconnects by itself after this time. */
  disconnectAfterMs?: number;
}

const config = JSON.stringify({
  type: "config",
  sampleRate: captureSampleRate,
  language: "en",
  version: 2,
  take: crypto.randomUUID(),
  audio: "binary",
  from: 0,
});
const oneByte = new Uint8Array(1);
const brokenJson = "{";
/** Number of chunks that are sent repeatedly: as many as an honest browser may have unacknowledged. */
const repeatedChunks = 100;
const sound = Uint8Array.from(
  { length: 2 * chunkSamples },
  (_, index) => (index * 2_654_435_761) >>> 24,
);

/** The sockets use these attacks in turn. */
const attacks: Attack[] = [
  {
    name: "frames of one byte",
    sendsConfig: true,
    framesPerSecond: 500,
    frame: () => oneByte,
  },
  { name: "broken JSON", sendsConfig: true, framesPerSecond: 500, frame: () => brokenJson },
  { name: "`config` without end", sendsConfig: true, framesPerSecond: 100, frame: () => config },
  {
    name: "old chunks again",
    sendsConfig: true,
    framesPerSecond: 40,
    frame: (n) => encodeAudioFrame(n % repeatedChunks, sound),
  },
  { name: "no `config` at all", sendsConfig: false, framesPerSecond: 0 },
  {
    name: "reads no answer",
    sendsConfig: true,
    framesPerSecond: 500,
    ignoresAnswers: true,
    frame: () => brokenJson,
  },
  { name: "comes and goes", sendsConfig: true, framesPerSecond: 0, disconnectAfterMs: 200 },
];

/** Close code of a socket that disconnects by itself. */
const ownClose = 4999;
const tickMs = 20;
const returnAfterMs = 1_000;
const readAtEndMs = 500;
/** Data in this process's buffers is no load for the room, so it is limited. */
const bufferedMax = 65_536;

const counter = new AttackCounter();
const open = new Set<WebSocket>();
const hasOpened = Promise.withResolvers<void>();
let isOver = false;
const { targets } = await receiveInput<SocketsPlan>(() => stop());
process.on("message", async (order: "begin" | "end") => {
  if (order === "begin") {
    targets.forEach((target, index) => {
      const attack = attacks[index % attacks.length];
      if (attack) connect(target, attack);
    });
    await hasOpened.promise;
    sendToParent({});
  } else {
    // A socket that read no answers may have been closed long ago.
    for (const socket of open) socket.resume();
    await sleep(readAtEndMs);
    stop();
    sendToParent(counter.report());
  }
});
sendToParent({});

function stop(): void {
  isOver = true;
  for (const socket of open) socket.terminate();
}

function connect(target: Target, attack: Attack): void {
  if (isOver) return;
  const { name } = attack;
  const count = (what: string) => {
    if (!isOver) counter.add(name, what);
  };
  const socket = new WebSocket(target.url, { headers: target.headers, perMessageDeflate: false });
  open.add(socket);
  let sending: NodeJS.Timeout | undefined;
  let isOpen = false;
  socket.on("unexpected-response", (_, response) => {
    count(`refused with ${response.statusCode}`);
    response.resume();
    socket.terminate();
  });
  // A "close" follows.
  socket.on("error", () => {});
  socket.on("close", (code) => {
    const isOwn = attack.disconnectAfterMs !== undefined && code === ownClose;
    if (isOpen && !isOwn) count(`closed with ${code}`);
    clearInterval(sending);
    open.delete(socket);
    setTimeout(() => connect(target, attack), attack.disconnectAfterMs ?? returnAfterMs);
  });
  socket.on("open", () => {
    count("opened");
    hasOpened.resolve();
    isOpen = true;
    if (attack.sendsConfig) socket.send(config);
    if (attack.ignoresAnswers) socket.pause();
    if (attack.framesPerSecond > 0) sending = startFlood(socket, attack);
    if (attack.disconnectAfterMs !== undefined)
      setTimeout(() => socket.close(ownClose), attack.disconnectAfterMs);
  });
  socket.on("message", (data) => {
    const { type, code } = JSON.parse(String(data));
    count(type === "error" ? `error ${code ?? ""}` : `answer ${type}`);
  });
}

/** Sends at the attack's rate, but no faster than the room accepts. */
function startFlood(socket: WebSocket, { name, framesPerSecond, frame }: Attack): NodeJS.Timeout {
  const start = performance.now();
  let sent = 0;
  return setInterval(() => {
    const due = Math.floor(((performance.now() - start) / 1000) * framesPerSecond);
    for (; sent < due && socket.bufferedAmount < bufferedMax; sent++) {
      if (frame && socket.readyState === WebSocket.OPEN) {
        socket.send(frame(sent));
        counter.add(name, "frames sent");
      }
    }
    sent = due;
  }, tickMs);
}
