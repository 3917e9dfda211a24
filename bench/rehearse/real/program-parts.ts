import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { toSrt, toVtt } from "#client/features/export/files/subtitles.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { openServer } from "#local/postgres/server.ts";
import {
  createExportedLecture,
  fileLabels,
  rowIn,
  sampleLanguages,
} from "#tests/unit/client/features/export/sample-lectures.ts";
import type { ProofSite } from "./program-site.ts";

const run = promisify(execFile);

/** A program of other authors on this machine, and what the product does with it. */
export interface ProgramPart {
  name: string;
  /** The version; null where it is not installed. */
  findVersion(): Promise<string | null>;
  /** How to install it. */
  install: string;
  tried: string;
  /** What came of it. @throws where it is not as it should be */
  run(site: ProofSite): Promise<string>;
}

/** What `command` prints, without the line's end; null where it is not there. */
async function readOutput(command: string, args: string[]): Promise<string | null> {
  try {
    const { stdout, stderr } = await run(command, args);
    return (stdout || stderr).trim();
  } catch {
    return null;
  }
}

const findMatch = (text: string | null, pattern: RegExp): string | null =>
  (text && pattern.exec(text)?.[1]) ?? null;

/** The programs of a virtual environment of Python, which `PROOF_PYTHON` names. */
const python = (program: string): string =>
  join(process.env.PROOF_PYTHON ?? ".local/proof", "bin", program);

const installPython = (packages: string): string =>
  `python3 -m venv .local/proof && .local/proof/bin/pip install ${packages}`;

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
  findVersion: async () =>
    findMatch(await readOutput(python("schemathesis"), ["--version"]), /([\d.]+)/),
  install: installPython("schemathesis"),
  tried: `${secondsOfRequests} s of requests by the description, with a token that may write`,
  async run({ url, openAccount }) {
    const { token } = await openAccount();
    const folder = await mkdtemp(join(tmpdir(), "dualect-schemathesis-"));
    const report = join(folder, "report.xml");
    try {
      const { stdout } = await run(
        python("schemathesis"),
        [
          "run",
          `${url}/api/openapi.json`,
          `--header=Authorization:Bearer ${token}`,
          `--max-time=${secondsOfRequests}`,
          "--checks=not_a_server_error,response_schema_conformance,content_type_conformance",
          "--continue-on-failure",
          "--no-color",
          "--generation-database=none",
          `--report-junit-path=${report}`,
        ],
        { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      ).catch((failure: { stdout?: string }) => {
        throw new Error(describeFailures(failure.stdout ?? String(failure)));
      });
      const summary = stdout.match(/\d+ generated.*/g)?.at(-1) ?? "";
      if (Number.parseInt(summary, 10) < requestsMin || summary === "")
        throw new Error(`too few requests: ${summary}`);
      return summary;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const describeFailures = (output: string): string =>
  output.slice(output.indexOf("FAILURES")).slice(0, 4_000);

const mcpClient: ProgramPart = {
  name: "MCP, the Python SDK",
  findVersion: () =>
    readOutput(python("python"), [
      "-c",
      "from importlib.metadata import version; print(version('mcp'))",
    ]),
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
    const child = spawn(python("python"), [script, `${url}/mcp`, "glass"], {
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

const ffmpeg: ProgramPart = {
  name: "FFmpeg",
  findVersion: async () => findMatch(await readOutput("ffmpeg", ["-version"]), /version (\S+)/),
  install: "apt-get install ffmpeg",
  tried: "SubRip and WebVTT in ten languages, converted into each other",
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "dualect-subtitles-"));
    const lecture = createExportedLecture(
      sampleLanguages.map((language, index) => rowIn(language, index)),
    );
    const files = {
      srt: toSrt(lecture, "translation"),
      vtt: toVtt(lecture, "translation", fileLabels.date),
    };
    try {
      for (const [from, to] of [
        ["srt", "webvtt"],
        ["vtt", "srt"],
      ] as const) {
        const file = join(folder, `lecture.${from}`);
        await writeFile(file, files[from]);
        const args = ["-v", "error", "-i", file, "-f", to, "-"];
        const { stdout, stderr } = await run("ffmpeg", args);
        if (stderr !== "") throw new Error(stderr);
        const read = squeeze(stdout);
        for (const { translated } of lecture.rows)
          if (!read.includes(squeeze(translated).slice(0, 12)))
            throw new Error(`${from}: ${translated} is missing`);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return `${lecture.rows.length} sentences in both`;
  },
};

const squeeze = (text: string): string => text.replace(/[\s\u200b\u200e\u200f]/g, "");

const promtool: ProgramPart = {
  name: "promtool",
  findVersion: async () => findMatch(await readOutput("promtool", ["--version"]), /version (\S+)/),
  install: "apt-get install prometheus",
  tried: "docs/alerts.yml",
  async run() {
    const { stdout } = await run("promtool", ["check", "rules", "docs/alerts.yml"]);
    return findMatch(stdout, /(\d+ rules found)/) ?? stdout.trim();
  },
};

/** In the order in which they are run. */
export const programParts: readonly ProgramPart[] = [
  postgres,
  schemathesis,
  mcpClient,
  ffmpeg,
  promtool,
];
