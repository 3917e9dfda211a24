import { expect, test } from "vitest";
import { addressKeyOf } from "../../../src/worker/middleware/address.ts";

const keyOf = (address: string | null) =>
  addressKeyOf(
    new Request("https://dualect.test/", {
      headers: address === null ? {} : { "cf-connecting-ip": address },
    }),
  );

test("an IPv4 address is its own key", () => {
  expect(keyOf("192.0.2.7")).toBe("address:192.0.2.7");
  expect(keyOf("192.0.2.8")).not.toBe(keyOf("192.0.2.7"));
});

test("an IPv6 customer's /64 has one key, however it is written", () => {
  const key = "address:2001:db8:0:7";
  expect(keyOf("2001:db8:0:7:1:2:3:4")).toBe(key);
  expect(keyOf("2001:DB8:0:7::9")).toBe(key);
  expect(keyOf("2001:0db8::0007:0:0:0:1")).toBe(key);
  expect(keyOf("2001:db8:0:8::9")).not.toBe(key);
});

test("loopback and an absent header say nothing", () => {
  expect([keyOf("127.0.0.1"), keyOf("::1"), keyOf(null)]).toEqual([null, null, null]);
});
