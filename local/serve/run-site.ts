import { join } from "node:path";
import { findLocalSpeechServer, toSpeechSettings } from "#local/deepgram/find-local-server.ts";
import { type Edge, startEdge } from "#local/edge.ts";
import { askNamedWindow } from "#local/llm/ask-window.ts";
import { LocalModelSearch, toSettings } from "#local/llm/find-local-model.ts";
import { openDatabase } from "#local/postgres/database.ts";
import { acquireRunLock } from "#local/run-lock.ts";
import { assertPortFree } from "#local/run-stack.ts";
import { createFront } from "./front.ts";
import { runHourly } from "./hourly.ts";
import { createMailService, toErrorName } from "./mail-service.ts";
import { servePrivately } from "./private-services.ts";
import type { ServeSettings } from "./settings.ts";
import { connectSmtp } from "./smtp.ts";
import { watchSite } from "./watch-site.ts";

/** As the cron trigger of wrangler.toml. */
const cronMinute = 17;

/** Runs until a signal; what has begun to run is stopped in the opposite order. */
export async function runSite(settings: ServeSettings, env: NodeJS.ProcessEnv): Promise<void> {
  const closers: (() => void | Promise<void>)[] = [];
  let isStopping = false;
  const stop = async (code: number) => {
    if (isStopping) return;
    isStopping = true;
    for (const close of closers.reverse()) await close();
    process.exit(code);
  };
  const handleSignals = () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.removeAllListeners(signal).on(signal, () => void stop(0));
  };
  handleSignals();
  try {
    const { HOST, PORT, origin } = settings;
    const dataDir = settings.DUALECT_DATA_DIR;
    const lock = await acquireRunLock(join(dataDir, "run.lock"));
    closers.push(lock.release);
    await assertPortFree(PORT, "PORT", HOST);
    const database = await openDatabase({ databaseUrl: settings.DATABASE_URL });
    closers.push(database.close);
    const smtp = settings.SMTP_URL ? connectSmtp(settings.SMTP_URL, settings.smtpNeedsTls) : null;
    if (smtp) closers.push(smtp.close);
    const mail = smtp && createMailService(smtp.send);
    const services = await servePrivately({ database: database.standIn, mail });
    closers.push(services.close);
    const edge = await startEdge({
      vars: { ...settings.vars, ...(await findEngines(env)), ...services.vars },
      port: PORT,
      persistDir: join(dataDir, "workerd"),
      hasPublicNetwork: true,
      front: createFront({ host: HOST, port: PORT, origin, secret: settings.PROXY_SECRET }),
      log: (line) => console.log(line.replace(/^\w+: (?=\{)/, "")),
    });
    closers.push(edge.close);
    // Miniflare would end the process at once, in the middle of what is written to the database and sent as mail.
    handleSignals();
    closers.push(runCron(edge));
    lock.announce(edge.url);
    closers.push(watchSite(edge.url, () => void stop(1)));
    await smtp?.verify().catch((error: unknown) => {
      console.error(`The mail server at SMTP_URL cannot be used now: ${toErrorName(error)}`);
    });
    console.log(`Dualect serves ${origin} to the reverse proxy at ${edge.url}`);
  } catch (error) {
    if (!isStopping) console.error(error instanceof Error ? error.message : error);
    await stop(1);
  }
}

/** Settings of speech and model servers on this machine, where no setting names another. */
async function findEngines(env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const [model, speech] = await Promise.all([
    new LocalModelSearch(env).find(),
    findLocalSpeechServer(env),
  ]);
  return {
    ...(model ? toSettings(model, env) : await askNamedWindow(env)),
    ...(speech && toSpeechSettings(speech, env)),
  };
}

const runCron = (edge: Edge) =>
  runHourly(
    cronMinute,
    () => edge.runCron(),
    // The worker has logged which job.
    (error) => console.error("The hourly jobs have failed:", error),
  );
