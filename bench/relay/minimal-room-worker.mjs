// The least that a Durable Object can do between a browser and the speech service: forward, rename. It has no
// sign-in, acknowledgements, timer, validation or resumption, and forwards binary PCM only. With `LEDGER_URL` it is
// metered: it stores one value and has its time written to the ledger as often as the product's room.

export class MinimalRoom {
  #waiting = [];
  #provider = null;
  #id = "";
  #meteredAt = 0;

  constructor(ctx, env) {
    this.ctx = ctx;
    this.env = env;
  }

  fetch(request) {
    this.#id = new URL(request.url).pathname.split("/").at(-1);
    const { 0: client, 1: socket } = new WebSocketPair();
    this.ctx.acceptWebSocket(socket);
    socket.send(JSON.stringify({ type: "ready" }));
    return new Response(null, { status: 101, webSocket: client });
  }

  async webSocketMessage(socket, frame) {
    if (typeof frame === "string") {
      const message = JSON.parse(frame);
      if (message.type === "config") await this.#open(socket, message);
      return;
    }
    this.#meter();
    // After the sequence number.
    const pcm = new Uint8Array(frame, 4);
    if (this.#provider) this.#provider.send(pcm);
    else this.#waiting.push(pcm);
  }

  #meter() {
    const { LEDGER_URL, LEDGER_INTERVAL_MS } = this.env;
    const now = Date.now();
    if (!LEDGER_URL || now < this.#meteredAt + LEDGER_INTERVAL_MS) return;
    this.#meteredAt = now;
    void this.ctx.storage.put("room", { now });
    void fetch(LEDGER_URL + this.#id, { method: "POST" }).then((response) => response.text());
  }

  webSocketClose(socket) {
    this.#provider?.close();
    socket.close();
  }

  async #open(socket, { audio, sampleRate }) {
    const headers = { upgrade: "websocket", authorization: "Bearer bench" };
    const { webSocket } = await fetch(this.env.PROVIDER_URL, { headers });
    webSocket.addEventListener("message", ({ data }) => {
      const { tokens, final_audio_proc_ms, total_audio_proc_ms } = JSON.parse(data);
      socket.send(
        JSON.stringify({
          type: "tokens",
          tokens,
          audio_final_proc_ms: final_audio_proc_ms,
          audio_total_proc_ms: total_audio_proc_ms,
        }),
      );
    });
    webSocket.accept();
    const format = { audio_format: "pcm_s16le", sample_rate: sampleRate, num_channels: 1 };
    webSocket.send(JSON.stringify({ model: "stt-rt-v5", ...format }));
    for (const pcm of this.#waiting.splice(0)) webSocket.send(pcm);
    this.#provider = webSocket;
    socket.send(JSON.stringify({ type: "config_acknowledged", audio, nextSeq: 0 }));
  }
}

export default {
  fetch(request, { ROOM }) {
    const { pathname } = new URL(request.url);
    return pathname === "/" ? new Response("ready") : ROOM.getByName(pathname).fetch(request);
  },
};
