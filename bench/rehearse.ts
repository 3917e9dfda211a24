import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { settingNames } from "#worker/settings.ts";
import { compareExchanges, type Exchange, selectKnownExchanges } from "./rehearse/exchange.ts";
import { rehearseReal } from "./rehearse/real.ts";
import { rehearseRealModel } from "./rehearse/real-model.ts";
import { rehearseRealPrograms } from "./rehearse/real-programs.ts";
import { installRecorder } from "./rehearse/record-fetch.ts";
import { redact } from "./rehearse/redact.ts";
import {
  createStandInVariables,
  type Plan,
  planRehearsals,
  rehearse,
  serveAll,
} from "./rehearse/rehearse.ts";
import { formatReport, selectWrong } from "./rehearse/report.ts";
import { createSound, createWordlessSound } from "./rehearse/sound.ts";
import { describeUnseen } from "./rehearse/unseen.ts";

/**
 * `npm run rehearse [-- --yes] [-- --record] [-- --report=FILE]`: has the same conversations with Soniox, Deepgram, a
 * language model, Stripe's sandbox and Resend as with their stand-ins, and writes what differs to a report. The settings
 * are the worker's (docs/deploy.md); a service without its key is skipped. It says what it costs and asks first, or takes
 * `--yes` for an answer. `--record` stores the shape of the answers in bench/rehearse/recorded.json.
 *
 * `real`: programs on this machine, see `rehearse/real.ts`, `rehearse/real-model.ts` and `rehearse/real-programs.ts`;
 * `--part=speech`, `--part=model` and `--part=programs` are one of them alone. `--smoke`: stand-ins take the services'
 * place, and must answer in the stored shape. Takes seconds and no keys.
 */
const isSmoke = process.argv.includes("--smoke");
const getOption = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const recordedFile = "bench/rehearse/recorded.json";
const reportFile =
  getOption("report") ?? (isSmoke ? join(tmpdir(), "rehearsal-smoke.md") : "rehearsal-report.md");

interface Recorded {
  /** Who answered so. */
  source: "service" | "stand-in";
  date: string;
  exchanges: Exchange[];
}

/** @returns whether the person agrees to the costs */
async function askForConsent(plans: readonly Plan[], seconds: number): Promise<boolean> {
  console.log(`${seconds.toFixed(1)} s of sound. It costs at most:\n`);
  let dollars = 0;
  for (const { service, cost, skipped } of plans) {
    dollars += cost?.dollars ?? 0;
    const text = cost ? `$${cost.dollars.toFixed(3)} (${cost.work}; ${cost.basis})` : skipped;
    console.log(`- ${service.name}: ${text}`);
  }
  console.log(`\nTogether at most $${dollars.toFixed(2)}.`);
  if (isSmoke || process.argv.includes("--yes")) return true;
  if (!process.stdin.isTTY) {
    console.error("Nobody can be asked here: pass --yes to agree.");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Begin? (y/N) ");
  terminal.close();
  return /^y/i.test(answer.trim());
}

async function rehearseServices(): Promise<void> {
  const endRecorder = installRecorder();
  const standIns = await serveAll();
  const others = isSmoke ? await serveAll() : null;
  try {
    const variables = others
      ? createStandInVariables(others.url)
      : Object.fromEntries(
          settingNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
        );
    const sound = isSmoke ? createWordlessSound() : await createSound();
    const recorded: Record<string, Recorded> = JSON.parse(await readFile(recordedFile, "utf8"));
    if (!isSmoke)
      for (const line of describeUnseen(recorded.Soniox, sound.seconds)) console.log(line);
    const plans = planRehearsals(variables, { seconds: sound.seconds, standIns: others });
    if (plans.every(({ side }) => side === null)) {
      for (const { service, skipped } of plans)
        console.log(`${service.name} is skipped: ${skipped}`);
      console.log("No service has its key. docs/operations.md names the settings.");
      process.exitCode = 1;
    } else if (await askForConsent(plans, sound.seconds)) {
      const setting = { standIns, sound, variables };
      const rehearsals = await Promise.all(plans.map((plan) => rehearse(plan, setting)));
      const date = new Date().toISOString().slice(0, 10);
      const report = redact(formatReport(rehearsals, { date, sound: sound.source }), variables);
      await writeFile(reportFile, report);
      for (const { service, skipped, hasFailed, exchanges, differences, standIn } of rehearsals) {
        const wrong = selectWrong(differences).length;
        console.log(
          `${service}: ${skipped ?? `${exchanges.length} conversations, ${wrong} differences`}`,
        );
        if (wrong > 0 || hasFailed) process.exitCode = 1;
        if (skipped !== null) continue;
        const source = isSmoke ? "stand-in" : "service";
        if (process.argv.includes("--record"))
          recorded[service] = { source, date, exchanges: selectKnownExchanges(exchanges, standIn) };
        else if (isSmoke) {
          const drift = compareExchanges(standIn, recorded[service]?.exchanges ?? []);
          for (const { exchange, kind, subject, ...answers } of drift) {
            console.error(
              `${service}, ${exchange}: ${kind} ${subject}: the stand-in has ${answers.standIn}, ${recordedFile} has ${answers.service}`,
            );
            process.exitCode = 1;
          }
        }
      }
      if (process.argv.includes("--record"))
        await writeFile(recordedFile, `${JSON.stringify(recorded, null, 2)}\n`);
      console.log(`The report: ${reportFile}`);
    } else process.exitCode = 1;
  } finally {
    endRecorder();
    await standIns.close();
    await others?.close();
  }
}

/** All parts are rehearsed, also where one fails. */
async function rehearseRealServers(): Promise<void> {
  // `prepareBuild` takes an argument that is no option for the folder of a build.
  process.argv.splice(2, 1);
  const part = getOption("part");
  const results: boolean[] = [];
  const isWanted = (name: string) => part === undefined || part === name;
  if (isWanted("programs")) results.push(await rehearseRealPrograms(getOption));
  if (isWanted("speech")) results.push(await rehearseReal(getOption));
  if (isWanted("model")) results.push(await rehearseRealModel(getOption));
  process.exitCode = results.every((isGood) => isGood) ? 0 : 1;
}

if (process.argv[2] === "real") await rehearseRealServers();
else await rehearseServices();
