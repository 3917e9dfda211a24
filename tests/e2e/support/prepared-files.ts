/**
 * What `build.ts` prepares, in a module that does not load the bundler in each worker. A copy, because another build,
 * such as that of `npm start`, may replace `dist`.
 */
export const buildDir = ".tmp/e2e-build";
