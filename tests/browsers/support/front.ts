import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Another address of a site, whose network can be cut: browsers that are driven by WebDriver cannot go offline. */
export interface Front {
  url: string;
  /** Refuses connections, and breaks those that are open. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startFront(siteUrl: string): Promise<Front> {
  const { hostname, port } = new URL(siteUrl);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const site = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, site],
      [site, socket],
    ] as const) {
      open.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      end();
    },
    mend() {
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        end();
      }),
  };
}
