import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** A proxy that connects every host to `port` of this machine, such as the hosts of the hub to its stand-in. */
export async function startProxy(port: number): Promise<{ port: number; close(): void }> {
  const server = createServer();
  server.on("connect", (_request, socket, head) => {
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      target.write(head);
      target.pipe(socket);
      socket.pipe(target);
    });
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
