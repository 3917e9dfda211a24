import { BlockList } from "node:net";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "#server/programs/public-address.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

describe("an address", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700::1111",
    "2400:cb00::",
    "2001:4860:4860::8888",
    "2a00:1450:4001:81c::200e",
  ])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    "0.0.0.0",
    "10.0.0.8",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::10.0.0.8",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  ])("%s is not", (address) => expect(isPublicAddress(address)).toBe(false));

  it.each([
    "",
    "hooks.example.org.",
    "1.1.1",
    "1.1.1.1.1",
    "01.1.1.1",
    "256.1.1.1",
    "0x1.1.1.1",
    "1.1.1.1 ",

    "2606:4700::1111::",
    "2606:4700",
    "2606:4700:::1",
    "2606:4700::1111%eth0",
    "[2606:4700::1111]",
    "2606:4700:1:2:3:4:5:6:7",
    "26060:4700::1",
    "2606:4700::1.1.1.256",
  ])("%s is none", (address) => expect(isPublicAddress(address)).toBe(false));

  it("of the networks of private use is never public, in whatever spelling", () => {
    const lists = new BlockList();
    lists.addSubnet("10.0.0.0", 8, "ipv4");
    lists.addSubnet("192.168.0.0", 16, "ipv4");
    lists.addSubnet("127.0.0.0", 8, "ipv4");
    lists.addSubnet("fc00::", 7, "ipv6");
    lists.addSubnet("fe80::", 10, "ipv6");
    const of = (first: string) => fc.ipV4().map((address) => address.replace(/^\d+/, first));
    const ipv4 = fc.oneof(fc.ipV4(), of("10"), of("192"), of("127"));
    fc.assert(
      fc.property(ipv4, (address) => {
        if (lists.check(address, "ipv4")) expect(isPublicAddress(address)).toBe(false);
      }),
      { numRuns: countRuns(300) },
    );
    const ipv6 = fc.ipV6().map((address) => address.replace(/^[0-9a-f]+(?=:)/i, "fd12"));
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), ipv6), (address) => {
        if (lists.check(address, "ipv6")) expect(isPublicAddress(address)).toBe(false);
      }),
      { numRuns: countRuns(300) },
    );
  });
});
