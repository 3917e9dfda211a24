import { describe, expect, test } from "vitest";
import { dummyPasswordHash } from "#server/auth/secrets.ts";
import { createPasswordHasher } from "#worker/adapters/password-hasher.ts";

const hasher = createPasswordHasher();

describe("argon2id inside workerd", () => {
  test("hashes to a PHC string with the documented costs and a new salt", async () => {
    const [first, second] = [
      await hasher.hash("correct horse"),
      await hasher.hash("correct horse"),
    ];
    expect(first).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
    expect(first).not.toBe(second);
    expect(await hasher.verify(first, "correct horse")).toBe(true);
    expect(await hasher.verify(first, "correct hors")).toBe(false);
    expect(await hasher.verify(second, "correct horse")).toBe(true);
  });

  test("agrees with the reference implementation", async () => {
    // Computed with Node's crypto.argon2: password "password", salt "somesaltsomesalt".
    const reference =
      "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE";
    expect(await hasher.verify(reference, "password")).toBe(true);
    expect(await hasher.verify(reference, "Password")).toBe(false);
  });

  test("hashes passwords beyond ASCII and of 4,096 bytes in full", async () => {
    const long = "语".repeat(1_365);
    const phc = await hasher.hash(long);
    expect(await hasher.verify(phc, long)).toBe(true);
    expect(await hasher.verify(phc, `${long.slice(0, -1)}言`)).toBe(false);
  });

  test("verifies concurrently", async () => {
    const phc = await hasher.hash("right");
    const answers = await Promise.all(
      ["right", "wrong", "right", "", "right"].map((password) => hasher.verify(phc, password)),
    );
    expect(answers).toEqual([true, false, true, false, true]);
  });

  test.each([
    "",
    "plain",
    "$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$c29tZXNhbHQ",
    dummyPasswordHash.slice(0, -1),
    dummyPasswordHash.replace("m=19456", "m=999999"),
    dummyPasswordHash.replace("p=1", "p=0"),
  ])("verifies nothing against other or too expensive hashes: %s", async (phc) => {
    expect(await hasher.verify(phc, "password")).toBe(false);
  });
});

test.each([
  ["its own", dummyPasswordHash, false],
  ["less memory", dummyPasswordHash.replace("m=19456", "m=8192"), true],
  ["fewer passes", dummyPasswordHash.replace("t=2", "t=1"), true],
  ["more lanes", dummyPasswordHash.replace("p=1", "p=2"), true],
  ["no PHC string", "secret", true],
])("knows whether a hash with %s costs needs an upgrade", (_, phc, upgrade) => {
  expect(hasher.needsUpgrade(phc)).toBe(upgrade);
});
