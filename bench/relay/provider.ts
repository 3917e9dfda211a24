import { receiveInput, sendToParent } from "#bench/processes.ts";
import { createSonioxStandIn } from "#local/soniox/stand-in.ts";
import { serveStandIns } from "#local/stand-in.ts";

/** The speech stand-in. As an echo it answers each audio frame immediately and uses almost no CPU. */
const standIn = createSonioxStandIn();
const { echo } = await receiveInput<{ echo: boolean }>(() => standIn.close());
const { url } = await serveStandIns([standIn], 0);
await fetch(`${url}/soniox/control`, { method: "POST", body: JSON.stringify({ echo }) });
sendToParent({ url: `${url.replace("http", "ws")}/soniox/transcribe-websocket` });
