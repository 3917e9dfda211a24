import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { deriveWebhookKey, signMessage } from "#server/programs/webhook-signature.ts";
import { isWebhookUrl } from "#server/programs/webhook-url.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const siteSecret = "a secret of tests that is long enough";

describe("a webhook's signature", () => {
  it("is accepted by the library of Standard Webhooks, and by no other key, for any message", () => {
    const text = fc.string({ unit: "binary" }).map((value) => value.toWellFormed());
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.json(), text, (webhookId, id, json, added) => {
        const key = deriveWebhookKey(siteSecret, webhookId);
        const headers = signMessage(key, { id, body: json, now: new Date() });
        const receiver = new Webhook(key);
        expect(receiver.verify(json, headers)).toEqual(JSON.parse(json));
        const other = new Webhook(deriveWebhookKey(siteSecret, `${webhookId}x`));
        expect(() => other.verify(json, headers)).toThrow();
        expect(() => receiver.verify(`${json} ${added}`, headers)).toThrow();
        expect(() => receiver.verify(json, { ...headers, "webhook-id": `${id}x` })).toThrow();
      }),
      { numRuns: countRuns(50) },
    );
  });

  it("grows old", () => {
    const key = deriveWebhookKey(siteSecret, "id");
    const now = new Date(Date.now() - 6 * 60_000);
    const headers = signMessage(key, { id: "message", body: "{}", now });
    expect(() => new Webhook(key).verify("{}", headers)).toThrow("too old");
  });

  it("has a key of 32 bytes that the database cannot tell", () => {
    const key = deriveWebhookKey(siteSecret, "id");
    expect(key).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(deriveWebhookKey(`${siteSecret}!`, "id")).not.toBe(key);
  });
});

describe("a webhook's address", () => {
  const isAllowed = (url: string) => isWebhookUrl(url, "https://dualect.example.com");

  it.each([
    "https://hooks.example.org/",
    "https://hooks.example.org:8443/dualect?key=1#x",
    "HTTPS://Hooks.Example.ORG./in",
    "https://课译.example.org/",
    "https://10.example.org/",
    "https://hooks.example.org:443/",
    "https://hooks.example.org:80/",
    "https://hooks.example.org:8000/",
    "https://hooks.example.org:9999/",
    "https://svc.example.org/",
    "https://local.example.org/",
    "https://other.dualect.example.com/",
  ])("may be %s", (url) => expect(isAllowed(url)).toBe(true));

  it.each([
    "http://hooks.example.org/",
    "ftp://hooks.example.org/",
    "hooks.example.org",
    "",
    "https://",
    "https://user:word@hooks.example.org/",
    "https://user@hooks.example.org/",
    "https://localhost/",
    "https://api.localhost./",
    "https://intranet/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://router.home.arpa/",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://10.0.0.8/",
    "https://169.254.169.254/latest",
    "https://93.184.216.34/",
    "https://[::1]/",
    "https://[fd00::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://１２７.0.0.1/",
    "https://127.1/",
    "https://0x7f000001/",
    "https://017700000001/",
    "https://127.0.0.1./",
    "https://[::ffff:7f00:1]/",
    "https://[fe80::1%25eth0]/",
    "https://[64:ff9b::a00:8]/",
    "https://x.svc/",
    "https://x.svc./",
    "https://x.svc../",
    "https://X.SVC/",
    "https://kubernetes.default.svc/",
    "https://kubernetes.default.svc.cluster.local/",
    "https://vault.service.consul/",
    "https://x.localdomain/",
    "https://nas.lan/",
    "https://wiki.corp/",
    "https://tv.home/",
    "https://hooks.example/",
    "https://hooks.test/",
    "https://hooks.invalid/",
    "https://hidden.onion/",
    "https://hooks.example.org../",
    "https://hooks..example.org/",
    "https://hooks.example.org:0/",
    "https://hooks.example.org:22/",
    "https://hooks.example.org:25/",
    "https://hooks.example.org:7999/",
    "https://hooks.example.org:10000/",
    "https://hooks.example.org:65536/",
    "https://dualect.example.com/trpc",
    "https://DUALECT.example.com./",
  ])("is never %s", (url) => expect(isAllowed(url)).toBe(false));
});
