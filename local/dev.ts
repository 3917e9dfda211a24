import { createServer } from "vite";
import { runStack } from "./run-stack.ts";

/** `npm run dev`: runs the product on the embedded stack with hot reload. */
await runStack(async ({ vars, port }) => {
  // Miniflare would otherwise fetch `request.cf` from the network.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  process.env.DUALECT_LOCAL_VARS = JSON.stringify(vars);
  const server = await createServer({ server: { host: "127.0.0.1", port, strictPort: true } });
  await server.listen();
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
});
