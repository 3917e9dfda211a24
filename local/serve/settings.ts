import * as z from "zod";
import { selectSettings } from "#local/stack.ts";
import { isPrivateHost } from "#worker/private-network.ts";
import { readVariables } from "#worker/variables.ts";

type Environment = Record<string, string | undefined>;

/** Settings of `npm run serve` beside those of the worker. Its page is docs/self-host.md. */
const schema = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be postgres://…" }),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be smtp://… or smtps://…" }).optional(),
  PROXY_SECRET: z.string("missing").min(32, "must have 32 characters or more"),
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number("must be a port").int().min(1).max(65_535).default(8787),
  DUALECT_DATA_DIR: z.string().default(".local/serve"),
});

export interface ServeSettings extends z.infer<typeof schema> {
  /** Of the worker, but for where its database and its mail service are. */
  vars: Record<string, string>;
  /** `https://…`, checked. */
  origin: string;
  /** The mail server is asked to encrypt, and gets nothing otherwise. */
  smtpNeedsTls: boolean;
}

/** Settings that are missing or not usable; the message has a line for each, and no values. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  constructor(problems: readonly string[]) {
    super(
      `These settings are missing or cannot be used:\n${problems.map((one) => `  ${one}\n`).join("")}` +
        "docs/self-host.md explains them.",
    );
  }
}

/** @throws SettingsError */
export function readServeSettings(env: Environment): ServeSettings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const own = schema.safeParse(given);
  const { problems, vars, variables } = readWorkerSettings(env);
  if (!own.success)
    problems.push(
      ...own.error.issues
        .map(({ path: [name], message }) => ({ name: String(name), message }))
        .map(({ name, message }) => `${name}: ${given[name] === undefined ? "missing" : message}`),
    );
  if (!own.success || !variables?.APP_ORIGIN || problems.length > 0)
    throw new SettingsError([...new Set(problems)].sort());
  const smtp = own.data.SMTP_URL;
  const isPrivate = smtp !== undefined && isPrivateHost(new URL(smtp).hostname);
  return {
    ...own.data,
    vars,
    origin: variables.APP_ORIGIN,
    smtpNeedsTls: !(isPrivate && variables.ALLOW_PRIVATE_NETWORK),
  };
}

function readWorkerSettings(env: Environment) {
  const vars: Record<string, string> = { ...selectSettings(env), APP_ENV: "self-hosted" };
  const both = env.SMTP_URL ? ["RESEND_API_KEY", "RESEND_URL"].filter((name) => env[name]) : [];
  // The worker speaks with this process, which has the mail server.
  if (env.SMTP_URL) vars.RESEND_API_KEY = "smtp";
  const { problems, variables } = readVariables(vars);
  return {
    vars,
    variables,
    problems: [
      ...problems.map((one) => one.replace(/^RESEND_API_KEY(?=: missing)/, "SMTP_URL or $&")),
      ...both.map((name) => `${name}: not beside SMTP_URL`),
    ],
  };
}
