// What `build.ts` prepares, in a module that does not load the bundler in each worker.

/** A copy, because another build, such as that of `npm start`, may replace `dist`. */
export const buildDir = ".tmp/e2e-build";

/** Migrated once for all sites. */
export const databaseImage = ".tmp/e2e-database.tar";
