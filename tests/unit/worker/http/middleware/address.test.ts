import { expect, test } from "vitest";
import { getAddressKey, getNetworkKey } from "#worker/http/middleware/address.ts";

const createRequest = (address: string | null) =>
  new Request("https://dualect.test/", {
    headers: address === null ? {} : { "cf-connecting-ip": address },
  });
const getKey = (address: string | null) => getAddressKey(createRequest(address));
const getNetwork = (address: string | null) => getNetworkKey(createRequest(address));

test("an IPv4 address is its own key", () => {
  expect(getKey("192.0.2.7")).toBe("address:192.0.2.7");
  expect(getKey("192.0.2.8")).not.toBe(getKey("192.0.2.7"));
});

test("an IPv6 customer's /64 has one key, however it is written", () => {
  const key = "address:2001:db8:0:7";
  expect(getKey("2001:db8:0:7:1:2:3:4")).toBe(key);
  expect(getKey("2001:DB8:0:7::9")).toBe(key);
  expect(getKey("2001:0db8::0007:0:0:0:1")).toBe(key);
  expect(getKey("2001:db8:0:8::9")).not.toBe(key);
});

test("the range of an address is its /48 or its /24", () => {
  expect(getNetwork("2001:db8:5:7::9")).toBe("network:2001:db8:5");
  expect(getNetwork("2001:0db8:0005:ffff::1")).toBe(getNetwork("2001:db8:5::"));
  expect(getNetwork("2001:db8:6:7::9")).not.toBe(getNetwork("2001:db8:5:7::9"));
  expect(getNetwork("192.0.2.7")).toBe("network:192.0.2");
  expect(getNetwork("192.0.3.7")).not.toBe(getNetwork("192.0.2.7"));
});

test("loopback and an absent header say nothing", () => {
  for (const address of ["127.0.0.1", "::1", null])
    expect([getKey(address), getNetwork(address)]).toEqual([null, null]);
});
