import { migrateDatabase } from "./postgres/migrations.ts";
import { createNeonBatch } from "./postgres/neon.ts";
import { openServer } from "./postgres/server.ts";

// `npm run db:migrate`: migrates the database of `DATABASE_URL` (Neon) or `LOCAL_DATABASE_URL`.

async function migrate(): Promise<number | null> {
  const { DATABASE_URL: neonUrl, LOCAL_DATABASE_URL: localUrl } = process.env;
  if (neonUrl) return migrateDatabase(createNeonBatch(neonUrl));
  if (!localUrl) return null;
  const server = openServer(localUrl);
  try {
    return await migrateDatabase(server.batch);
  } finally {
    await server.close();
  }
}

try {
  const count = await migrate();
  if (count === null) {
    console.error(
      "DATABASE_URL is missing: set it to the connection string of the Neon database, " +
        "or LOCAL_DATABASE_URL to that of another PostgreSQL.",
    );
    process.exitCode = 1;
  } else {
    console.log(count === 0 ? "The database is up to date." : `Migrations applied: ${count}.`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
