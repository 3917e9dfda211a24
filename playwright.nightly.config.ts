import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config.ts";

/** The end-to-end tests of `npm run test:nightly`: those that are tagged `@nightly`. */
export default defineConfig(journeys, { grep: /@nightly/, grepInvert: /(?!)/ });
