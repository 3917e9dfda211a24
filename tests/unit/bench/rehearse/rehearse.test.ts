import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { compareExchanges } from "#bench/rehearse/exchange.ts";
import { mail } from "#bench/rehearse/mail.ts";
import { installRecorder } from "#bench/rehearse/record-fetch.ts";
import {
  createStandInVariables,
  planRehearsals,
  rehearse,
  runStandIn,
  serveAll,
} from "#bench/rehearse/rehearse.ts";
import { selectWrong } from "#bench/rehearse/report.ts";
import { soniox } from "#bench/rehearse/soniox.ts";
import { createWordlessSound } from "#bench/rehearse/sound.ts";

const sound = createWordlessSound();
let standIns: Awaited<ReturnType<typeof serveAll>>;
let endRecorder = () => {};

beforeAll(async () => {
  endRecorder = installRecorder();
  standIns = await serveAll();
});
afterAll(async () => {
  endRecorder();
  await standIns.close();
});

const plan = (variables: Parameters<typeof planRehearsals>[0]) =>
  planRehearsals(variables, { seconds: 9, standIns });

describe("a rehearsal", () => {
  it("asks those services whose keys are set, and says what it costs and what is missing", () => {
    const plans = plan({ SONIOX_API_KEY: "key-of-soniox", RESEND_API_KEY: "key-of-resend" });
    expect(plans.map(({ skipped }) => skipped)).toEqual([
      null,
      "DEEPGRAM_API_KEY is not set",
      "LLM_MODEL is not set",
      "STRIPE_SECRET_KEY is not set",
      "MAIL_FROM: missing",
    ]);
    expect(plans[0]?.side?.settings.soniox).toMatchObject({
      url: "wss://stt-rt.soniox.com/transcribe-websocket",
      apiKey: "key-of-soniox",
    });
    expect(plans[0]?.cost?.dollars).toBeGreaterThan(0);
    expect(plans[0]?.cost?.dollars).toBeLessThan(0.01);
  });

  it.each(["sk_live_abcdefgh", "rk_live_abcdefgh", "a key"])(
    "asks nobody anything with %s of Stripe",
    (key) => {
      expect(() => plan({ STRIPE_SECRET_KEY: key, SONIOX_API_KEY: "key-of-soniox" })).toThrow(
        /live key/,
      );
    },
  );

  it("says that a service cannot be reached, without its address and key", async () => {
    const variables = {
      DEEPGRAM_API_KEY: "key-of-deepgram",
      DEEPGRAM_URL: "ws://user:password@127.0.0.1:1/v1/listen",
    };
    const found = plan(variables).find(({ side }) => side !== null);
    if (!found) throw new Error("nothing is asked");
    const result = await rehearse(found, { standIns, sound, variables });
    expect(result).toMatchObject({ service: "Deepgram", hasFailed: true, exchanges: [] });
    expect(result.skipped).toMatch(/it failed/);
    expect(JSON.stringify(result)).not.toMatch(/password|key-of-deepgram/);
  });
});

describe("a field that one side does not send", () => {
  let proxy: Server;
  /** What `POST /mail/…` of the stand-ins answers, without the field `name`. */
  beforeAll(async () => {
    proxy = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += part;
      const answer = await fetch(`${standIns.url}${request.url}`, {
        method: "POST",
        headers: Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === "string" && /^(authorization|idempotency)/.test(name)
            ? [[name, value] as [string, string]]
            : [],
        ),
        body,
      });
      const { name: _, ...rest } = (await answer.json()) as { name?: string };
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(JSON.stringify(rest));
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => proxy.close());

  it("is found in answers of HTTP", async () => {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const own = Object.entries(createStandInVariables(url)).filter(([name]) =>
      mail.settings.some((one) => one === name),
    );
    const variables = Object.fromEntries(own);
    const found = plan(variables).find(({ service }) => service === mail);
    if (!found) throw new Error("nothing is asked");
    const { differences } = await rehearse(found, { standIns, sound, variables });
    expect(selectWrong(differences)).toContainEqual({
      exchange: "an invalid address",
      kind: "missing",
      subject: "422: name",
      standIn: '"validation_error"',
      service: "nothing",
    });
    expect(differences.filter(({ exchange }) => exchange === "a mail")).toEqual([]);
  });

  it("is found in answers of a stream", async () => {
    const before = await runStandIn(soniox, standIns, sound);
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (this: WebSocket, data: string) {
      (send as (text: string) => void).call(
        this,
        typeof data === "string" ? data.replace('"request_id"', '"id"') : data,
      );
    };
    const after = await runStandIn(soniox, standIns, sound).finally(() => {
      WebSocket.prototype.send = send;
    });
    const found = compareExchanges(after, before).filter(
      ({ exchange }) => exchange === "a wrong key",
    );
    expect(found.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      "missing error: id",
      "additional error: request_id",
      "fact has a request id",
    ]);
    expect(compareExchanges(before, await runStandIn(soniox, standIns, sound))).toEqual([]);
  });
});
