import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);

/** PostgreSQL refuses to run as root, so root starts it as the user "nobody". */
const nobodyId = 65_534;
const startDeadlineMs = 30_000;

/**
 * Runs the command "$@" until it ends or the standard input is closed, which happens however the process at its other
 * end ends. Then removes the directory in which it was started.
 */
const runUntilInputEnds = `
  trap "" INT TERM HUP
  exec 3<&0
  "$@" & server=$!
  (read -r _; kill -QUIT $server) <&3 & watcher=$!
  wait $server
  kill $watcher
  rm -rf "$PWD"
`;

interface PrivateServer {
  /** `postgres://…` of an empty database. */
  url: string;
  /** The server's version, for reports. */
  version: string;
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

/** The directory of PostgreSQL's programs, or null if it is not installed. */
export function findPrograms(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  return (
    folders.find((folder) =>
      ["initdb", "postgres"].every((name) => existsSync(join(folder, name))),
    ) ?? null
  );
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}

/**
 * Starts an empty PostgreSQL on 127.0.0.1 that is removed by `close` or when this process ends. Returns
 * null if PostgreSQL is not installed.
 *
 * @param settings server settings as for `postgres -c`.
 */
export async function startPrivateServer(
  settings: Record<string, string> = {},
): Promise<PrivateServer | null> {
  const programs = findPrograms();
  if (programs === null) return null;
  const directory = await mkdtemp(join(tmpdir(), "dualect-postgres-"));
  const asRoot = process.getuid?.() === 0;
  const identity = asRoot ? { uid: nobodyId, gid: nobodyId } : {};
  if (asRoot) chownSync(directory, nobodyId, nobodyId);
  const data = join(directory, "data");
  await run(
    join(programs, "initdb"),
    ["-D", data, "-U", "dualect", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
    { ...identity, cwd: directory },
  );
  const port = await findFreePort();
  const options = { listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
  const server = spawn(
    "sh",
    [
      "-c",
      runUntilInputEnds,
      "sh",
      join(programs, "postgres"),
      "-D",
      data,
      "-p",
      String(port),
      ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { ...identity, cwd: directory, stdio: ["pipe", "ignore", "ignore"] },
  );
  const ended = once(server, "exit");
  const url = `postgres://dualect@127.0.0.1:${port}/postgres`;
  const close = async () => {
    server.stdin.end();
    await ended;
  };
  try {
    return { url, version: await waitUntilUp(url, () => server.exitCode !== null), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Waits until the server answers; returns its version. */
async function waitUntilUp(url: string, hasExited: () => boolean): Promise<string> {
  const deadline = Date.now() + startDeadlineMs;
  for (;;) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      const { rows } = await client.query<{ server_version: string }>("show server_version");
      return rows[0]?.server_version ?? "";
    } catch (error) {
      if (hasExited() || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await client.end().catch(() => {});
    }
  }
}
