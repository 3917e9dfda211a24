import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type SettingName, settingNames } from "#worker/settings.ts";
import { createDeepgramStandIn } from "./deepgram/stand-in.ts";
import { createLlmStandIn } from "./llm/stand-in.ts";
import { createMailStandIn } from "./mail/stand-in.ts";
import { openDatabase } from "./postgres/database.ts";
import { createRemoteStandIn } from "./remote-files/stand-in.ts";
import { createSonioxStandIn } from "./soniox/stand-in.ts";
import { serveStandIns } from "./stand-in.ts";
import { createStripeStandIn } from "./stripe/stand-in.ts";
import { createTurnstileStandIn } from "./turnstile/stand-in.ts";

export interface StackOptions {
  /** Directory of the database and the signing secret; null keeps both in memory. */
  dataDir: string | null;
  /** Database in memory to begin with; default: an empty one. */
  databaseImage?: Blob;
  /** 0 lets the system choose. */
  port: number;
  /** Environment variables. A real service replaces its stand-in where its keys are set. */
  env: Record<string, string | undefined>;
}

export interface EmbeddedStack {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Bindings with which the worker finds this stack. */
  vars: Record<string, string>;
  /** Gives the stand-ins the product's address once it runs: `http://127.0.0.1:PORT`. */
  announce(productUrl: string): void;
  close(): Promise<void>;
}

/** Settings that the stack sets itself, whatever the environment says. */
const stackSettings: readonly SettingName[] = ["APP_ENV", "LOCAL_STACK_URL"];

/**
 * Starts stand-ins of all outside services on one port of 127.0.0.1: Postgres behind Neon's protocol,
 * speech recognition, a language model, an e-mail outbox, payments, Turnstile, and other sites with recordings.
 *
 * @throws when the port is taken, or the data directory is in use or cannot be read.
 */
export async function startEmbeddedStack({
  dataDir,
  databaseImage,
  port,
  env,
}: StackOptions): Promise<EmbeddedStack> {
  if (dataDir) await mkdir(dataDir, { recursive: true });
  const database = await openDatabase({
    ...(dataDir ? { dataDir: join(dataDir, "postgres") } : {}),
    image: databaseImage,
    ...(env.LOCAL_DATABASE_URL ? { databaseUrl: env.LOCAL_DATABASE_URL } : {}),
  });
  const soniox = createSonioxStandIn();
  const deepgram = createDeepgramStandIn();
  const llm = createLlmStandIn();
  const mail = createMailStandIn();
  const turnstile = createTurnstileStandIn();
  const stripe = createStripeStandIn({
    dataFile: dataDir ? join(dataDir, "stripe.json") : null,
    ...(env.ANNUAL_SAVING_PERCENT
      ? { annualSavingPercent: Number(env.ANNUAL_SAVING_PERCENT) }
      : {}),
  });
  const remote = createRemoteStandIn();
  const standIns = [database.standIn, soniox, deepgram, llm, mail, stripe, turnstile, remote];
  const server = await serveStandIns(standIns, port).catch(async (error) => {
    await database.close();
    throw error;
  });
  const vars: Record<string, string> = {
    APP_ENV: "development",
    LOCAL_STACK_URL: server.url,
    GUEST_TICKET_SECRET: await loadTicketSecret(dataDir),
    BILLING_MODE: "test",
  };
  Object.assign(vars, selectSettings(env));
  const announce = (productUrl: string) =>
    stripe.setWebhookUrl(new URL("/api/stripe/webhook", productUrl).href);
  const close = async () => {
    await server.close();
    await database.close();
  };
  return { url: server.url, vars, announce, close };
}

/** The worker's settings in `env`, without those that the stack sets itself. */
export const selectSettings = (env: StackOptions["env"]): Record<string, string> =>
  Object.fromEntries(
    settingNames
      .filter((name) => !stackSettings.includes(name))
      .flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );

/** Stored in the data directory, so that tickets of guests who are recording survive a restart. */
async function loadTicketSecret(dataDir: string | null): Promise<string> {
  const fresh = randomBytes(32).toString("base64url");
  if (!dataDir) return fresh;
  const file = join(dataDir, "guest-ticket-secret");
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    await writeFile(file, `${fresh}\n`, { mode: 0o600 });
    return fresh;
  }
}
