import { expect, test } from "@playwright/test";
import { programParts } from "#bench/rehearse/real/program-parts.ts";
import { type ProofSite, startProofSite } from "#bench/rehearse/real/program-site.ts";
import { buildDir } from "./support/prepared-files.ts";

/** What `npm run rehearse -- real --part=programs` does, for each program that this machine has. */
test.describe("programs of others", { tag: "@nightly" }, () => {
  // They use one site, one after the other.
  test.describe.configure({ mode: "default", timeout: 300_000 });
  let site: ProofSite;
  test.beforeAll(async () => {
    site = await startProofSite(buildDir);
  });
  test.afterAll(() => site.close());

  for (const part of programParts)
    test(`${part.name}: ${part.tried}`, async () => {
      const version = await part.findVersion();
      test.skip(version === null, `It is not there: ${part.install}`);
      expect(await part.run(site)).not.toBe("");
    });
});
