import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { openServer } from "#local/postgres/server.ts";
import { anki, ffmpeg, libreOffice, whisper } from "./file-parts.ts";
import {
  findMatch,
  findPythonVersion,
  installPython,
  type ProgramPart,
  programPath,
  readOutput,
  runProgram,
  withFolder,
} from "./program-part.ts";
import { mailpit, stripeMock } from "./service-parts.ts";

const postgres: ProgramPart = {
  name: "PostgreSQL",
  findVersion: async () => findMatch(await readOutput("postgres", ["--version"]), /([\d.]+)/),
  install: "apt-get install postgresql",
  tried:
    "all migrations on an empty database, and again; then it is the database of the other parts",
  async run({ databaseUrl, migrated }) {
    if (databaseUrl === null) throw new Error("it did not start");
    const server = openServer(databaseUrl);
    try {
      const again = await migrateDatabase(server.batch);
      if (again !== 0) throw new Error(`${again} migrations were applied a second time`);
    } finally {
      await server.close();
    }
    return `${migrated} migrations, then none`;
  },
};

const secondsOfRequests = 60;
/** Of a run that says something. */
const requestsMin = 100;

const schemathesis: ProgramPart = {
  name: "schemathesis",
  findVersion: () => findPythonVersion("schemathesis"),
  install: installPython("schemathesis"),
  tried: `${secondsOfRequests} s of requests by the description, with a token that may write`,
  async run({ url, openAccount }) {
    const { token } = await openAccount();
    return withFolder(async (folder) => {
      const { stdout } = await runProgram(
        programPath("schemathesis"),
        [
          "run",
          `${url}/api/openapi.json`,
          `--header=Authorization:Bearer ${token}`,
          `--max-time=${secondsOfRequests}`,
          "--checks=not_a_server_error,response_schema_conformance,content_type_conformance",
          "--continue-on-failure",
          "--no-color",
          "--generation-database=none",
        ],
        folder,
      ).catch((failure: { stdout?: string }) => {
        throw new Error(describeFailures(failure.stdout ?? String(failure)));
      });
      const summary = stdout.match(/\d+ generated.*/g)?.at(-1) ?? "";
      if (Number.parseInt(summary, 10) < requestsMin || summary === "")
        throw new Error(`too few requests: ${summary}`);
      return summary;
    });
  },
};

const describeFailures = (output: string): string =>
  output.slice(output.indexOf("FAILURES")).slice(0, 4_000);

const mcpClient: ProgramPart = {
  name: "MCP, the Python SDK",
  findVersion: () => findPythonVersion("mcp"),
  install: installPython("mcp"),
  tried: "its own discovery, registration, PKCE, and a search with the token that it got",
  async run({ url, openAccount }) {
    const { token, allow } = await openAccount();
    const lecture = { id: crypto.randomUUID(), title: "Glass and light", targetLanguage: "zh-cn" };
    const created = await fetch(`${url}/trpc/lectures.create`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(lecture),
    });
    if (!created.ok) throw new Error(await created.text());
    const script = join(dirname(fileURLToPath(import.meta.url)), "mcp_client.py");
    const child = spawn(programPath("python"), [script, `${url}/mcp`, "glass"], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (text) => {
      errors += text;
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value: page } = await lines.next();
    if (typeof page !== "string") throw new Error(errors.slice(-2_000));
    child.stdin.end(`${await allow(page)}\n`);
    const { value: answer } = await lines.next();
    if (typeof answer !== "string") throw new Error(errors.slice(-2_000));
    const { tools, found } = JSON.parse(answer) as { tools: string[]; found: string[] };
    if (!found.join().includes("Glass and light")) throw new Error(answer);
    return `${tools.length} tools; the lecture was found`;
  },
};

const promtool: ProgramPart = {
  name: "promtool",
  findVersion: async () => findMatch(await readOutput("promtool", ["--version"]), /version (\S+)/),
  install: "apt-get install prometheus",
  tried: "docs/alerts.yml",
  async run() {
    const { stdout } = await runProgram("promtool", ["check", "rules", "docs/alerts.yml"]);
    return findMatch(stdout, /(\d+ rules found)/) ?? stdout.trim();
  },
};

/** In the order in which they are run. */
export const programParts: readonly ProgramPart[] = [
  postgres,
  schemathesis,
  mcpClient,
  mailpit,
  stripeMock,
  ffmpeg,
  libreOffice,
  anki,
  whisper,
  promtool,
];
