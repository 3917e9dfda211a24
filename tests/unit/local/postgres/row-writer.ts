import { openEmbedded } from "#local/postgres/embedded.ts";

/**
 * A process that opens the data directory of its first argument and inserts rows. Each line of its output is
 * the number of a committed row.
 */
const directory = process.argv[2];
if (directory === undefined) throw new Error("The data directory is missing.");
const backend = await openEmbedded(directory);
await backend.run({ query: "create table if not exists kept (n int primary key)", params: [] });
for (let n = 1; ; n++) {
  await backend.run({ query: "insert into kept values ($1)", params: [String(n)] });
  process.stdout.write(`${n}\n`);
}
