import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import { createSonioxStandIn } from "#local/soniox/stand-in.ts";

/** The speech stand-in. As an echo it answers each audio frame immediately and uses almost no CPU. */
const standIn = createSonioxStandIn();
const { echo } = await receiveInput<{ echo: boolean }>(() => standIn.close());
const server = createServer((request, response) => void standIn.handle(request, response));
server.on("upgrade", (request, socket, head) => standIn.upgrade?.(request, socket, head));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
await fetch(`http://${host}/soniox/control`, {
  method: "POST",
  body: JSON.stringify({ echo }),
});
sendToParent({ url: `ws://${host}/soniox/transcribe-websocket` });
