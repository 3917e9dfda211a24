import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import { encodeAudioFrame } from "#shared/relay.ts";
import { AttackCounter } from "./attack-counter.ts";
import type { Target } from "./honest.ts";

/** Sockets that attack rooms. Whoever is closed or refused comes again after a second. */
export interface SocketsPlan {
  targets: Target[];
}

interface Attack {
  name: string;
  /** Begins as an honest recording does. */
  configures: boolean;
  framesPerSecond: number;
  frame?(n: number): string | Uint8Array;
  /** Answers are left in the network's buffers. */
  isDeaf?: boolean;
  /** Leaves of its own accord after so many ms. */
  staysMs?: number;
}

const config = JSON.stringify({
  type: "config",
  sampleRate: captureSampleRate,
  language: "en",
  version: 1,
  audio: "binary",
  resumeFrom: 0,
});
const oneByte = new Uint8Array(1);
const brokenJson = "{";
/** Chunks that are sent over and over: what an honest browser may have in flight. */
const oldChunks = 100;
const sound = Uint8Array.from(
  { length: 2 * chunkSamples },
  (_, index) => (index * 2_654_435_761) >>> 24,
);

/** By turns over the sockets. */
const attacks: Attack[] = [
  {
    ...{ name: "frames of one byte", configures: true, framesPerSecond: 500 },
    frame: () => oneByte,
  },
  { name: "broken JSON", configures: true, framesPerSecond: 500, frame: () => brokenJson },
  { name: "`config` without end", configures: true, framesPerSecond: 100, frame: () => config },
  {
    ...{ name: "old chunks again", configures: true, framesPerSecond: 40 },
    frame: (n) => encodeAudioFrame(n % oldChunks, sound),
  },
  { name: "no `config` at all", configures: false, framesPerSecond: 0 },
  {
    ...{ name: "reads no answer", configures: true, framesPerSecond: 500, isDeaf: true },
    frame: () => brokenJson,
  },
  { name: "comes and goes", configures: true, framesPerSecond: 0, staysMs: 200 },
];

/** The code with which a socket that leaves of its own accord closes. */
const ownClose = 4999;
const tickMs = 20;
const returnAfterMs = 1_000;
const readAtEndMs = 500;
/** What waits in this process is no load for the room. */
const bufferedMax = 65_536;

const counter = new AttackCounter();
const open = new Set<WebSocket>();
let isOver = false;
const { targets } = await receiveInput<SocketsPlan>(() => stop());
process.on("message", async (order: "begin" | "end") => {
  if (order === "begin") {
    targets.forEach((target, index) => {
      const attack = attacks[index % attacks.length];
      if (attack) connect(target, attack);
    });
    sendToParent({});
  } else {
    // Who has read no answer may have been closed long ago.
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
    const isOwn = attack.staysMs !== undefined && code === ownClose;
    if (isOpen && !isOwn) count(`closed with ${code}`);
    clearInterval(sending);
    open.delete(socket);
    setTimeout(() => connect(target, attack), attack.staysMs ?? returnAfterMs);
  });
  socket.on("open", () => {
    count("opened");
    isOpen = true;
    if (attack.configures) socket.send(config);
    if (attack.isDeaf) socket.pause();
    if (attack.framesPerSecond > 0) sending = startFlood(socket, attack);
    if (attack.staysMs !== undefined) setTimeout(() => socket.close(ownClose), attack.staysMs);
  });
  socket.on("message", (data) => {
    const { type, code } = JSON.parse(String(data));
    count(type === "error" ? `error ${code ?? ""}` : `answer ${type}`);
  });
}

/** Sends at the attack's rate, as far as the room accepts it. */
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
