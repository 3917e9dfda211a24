import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import * as schema from "#drizzle/schema.ts";
import { getPeriod } from "#server/recording/plan-limits.ts";
import { flushUsage } from "#server/recording/usage-ledger.ts";
import type { Recording } from "./stack.ts";

/** Where recordings of another relay than the product's are counted: in the product's ledger, by its own statement. */
export interface LedgerPlan {
  /** Address of the embedded stack. */
  stackUrl: string;
  recordings: readonly Recording[];
}

/** `POST` to `url` followed by a lecture's id writes what has been recorded of it so far. */
export interface LedgerReady {
  url: string;
}

const startedAt = Date.now();
const server = createServer(async (request, response) => {
  const lectureId = request.url?.slice(1);
  const recording = recordings.find((one) => one.lectureId === lectureId);
  if (recording) await write(recording);
  response.writeHead(recording ? 200 : 404).end();
});
const { stackUrl, recordings } = await receiveInput<LedgerPlan>(() => {
  server.close();
  server.closeAllConnections();
});
neonConfig.fetchEndpoint = `${stackUrl}/neon/sql`;
const db = drizzle(neon("postgresql://bench:bench@localhost/bench"), { schema });
await once(server.listen(0, "127.0.0.1"), "listening");
const { port } = server.address() as AddressInfo;
sendToParent({ url: `http://127.0.0.1:${port}/` } satisfies LedgerReady);

async function write({ lectureId, userId, sessionId }: Recording): Promise<void> {
  const now = new Date();
  const payer = { userId };
  await flushUsage(
    db,
    {
      recordingId: lectureId,
      segment: 0,
      payer,
      period: getPeriod(now.getTime(), payer),
      startedAt,
      recordedMs: now.getTime() - startedAt,
      closed: false,
      signInSessionId: sessionId,
    },
    { now, mode: "live" },
  );
}
