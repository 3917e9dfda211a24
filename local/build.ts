import { createBuilder } from "vite";

/** Run by start.ts: builds the product in a process of its own, and ends with the one that waits for it. */
process.on("disconnect", () => process.exit(1));
const builder = await createBuilder({ logLevel: "warn" });
await builder.buildApp();
process.exit();
