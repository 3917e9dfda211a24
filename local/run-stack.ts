import { createServer } from "node:net";
import { join } from "node:path";
import { findLocalSpeechServer, toSpeechSettings } from "./deepgram/find-local-server.ts";
import { describeServices, type Found } from "./describe-services.ts";
import { askNamedWindow } from "./llm/ask-window.ts";
import { LocalModelSearch, toSettings } from "./llm/find-local-model.ts";
import { acquireRunLock } from "./run-lock.ts";
import { startEmbeddedStack } from "./stack.ts";
import { watchServers } from "./watch-servers.ts";

export interface SiteServer {
  url: string;
  close(): Promise<void>;
}

/** Directory of the data that is kept between runs. */
export const dataDir = process.env.DUALECT_DATA_DIR ?? ".local";

/**
 * Runs the embedded stack and the site's server (workerd, or the development server) until Ctrl-C, and
 * stops both together. A start that fails prints one line and exits with code 1.
 */
export async function runStack(
  startSite: (options: { vars: Record<string, string>; port: number }) => Promise<SiteServer>,
): Promise<void> {
  const closers: (() => void | Promise<void>)[] = [];
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    for (const close of closers.reverse()) await close();
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => void stop(0));
  }
  try {
    const port = parsePort("PORT", 8787);
    const lock = await acquireRunLock(join(dataDir, "run.lock"));
    closers.push(lock.release);
    await assertPortFree(port, "PORT");
    const { env } = process;
    const models = new LocalModelSearch(env);
    const search = {
      model: () => models.find(),
      speech: () => findLocalSpeechServer(env),
    };
    const searched = Promise.all([search.model(), search.speech()]);
    const stack = await startEmbeddedStack({ dataDir, port: 0, env: process.env });
    closers.push(stack.close);
    const [model, speech] = await searched;
    let site: SiteServer | null = null;
    closers.push(() => site?.close());
    const start = async (found: Found) => {
      const settings = {
        ...(found.model ? toSettings(found.model, env) : await askNamedWindow(env)),
        ...(found.speech && toSpeechSettings(found.speech, env)),
      };
      site = await startSite({ vars: { ...stack.vars, ...settings }, port });
      stack.announce(site.url);
      lock.announce(site.url);
      const services = describeServices(env, found, stack.url, models);
      const lines = [`Dualect is running at ${site.url}`, ...services, "Stop it with Ctrl-C."];
      console.log(`\n${lines.map((line) => `  ${line}\n`).join("")}`);
    };
    await start({ model, speech });
    const restart = async (found: Found) => {
      try {
        await site?.close();
        site = null;
        await start(found);
      } catch (error) {
        console.error(error);
        await stop(1);
      }
    };
    closers.push(watchServers({ model, speech }, search, restart));
  } catch (error) {
    if (!stopping) console.error(error instanceof Error ? error.message : error);
    await stop(1);
  }
}

function parsePort(name: string, defaultPort: number): number {
  const value = process.env[name];
  if (!value) return defaultPort;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`${name} must be a port number from 1 to 65535, and is "${value}".`);
  }
  return port;
}

/** @throws Error that names the setting `name` */
export async function assertPortFree(
  port: number,
  name: string,
  host = "127.0.0.1",
): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(
              `Port ${port} (${name}) is taken by another program. Set ${name} to a free one.`,
            )
          : error,
      ),
    );
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
