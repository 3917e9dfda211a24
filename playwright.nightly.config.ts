import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config.ts";

/** `npm run test:nightly`: the end-to-end tests that are tagged `@nightly`. */
export default defineConfig(journeys, { grep: /@nightly/, grepInvert: /(?!)/ });
