import { createBuilder } from "vite";

/** Journeys run against the production build. */
export default async function build(): Promise<void> {
  const builder = await createBuilder({ logLevel: "warn" });
  await builder.buildApp();
}
