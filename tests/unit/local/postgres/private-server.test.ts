import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPrograms } from "#local/postgres/private-server.ts";

const start = `
  const { startPrivateServer } = await import("#local/postgres/private-server.ts");
  const { version } = await startPrivateServer();
  process.stdout.write(version);
`;

test.skipIf(findPrograms() === null)(
  "a private server and its directory are removed when the process that started it is killed",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "dualect-private-"));
    chmodSync(folder, 0o777);
    const starter = spawn(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "-e", start],
      {
        env: { ...process.env, TMPDIR: folder },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const list = () => readdirSync(folder).filter((name) => name.startsWith("dualect-postgres-"));
    try {
      await once(starter.stdout, "data");
      expect(list()).toHaveLength(1);
    } finally {
      starter.kill("SIGKILL");
    }
    await expect.poll(list, { timeout: 10_000 }).toEqual([]);
    rmSync(folder, { recursive: true });
  },
);
