// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { endUserSession } from "#client/state/session.ts";
import { getShareCode, keepShareCode } from "#client/state/share-links.ts";
import { visitor } from "#client/state/visitor.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { createUser } from "#tests/unit/client/kit/user.ts";

const code = (letter: string) => letter.repeat(22);
const beUser = (id: string) => visitor.set(createUser(id));

beforeEach(() => {
  localStorage.clear();
  fakeServer({ "auth.signOut": () => ({}) });
  beUser("lin");
});

it("returns the codes that the user has made here, and those alone", () => {
  keepShareCode("one", code("A"));
  keepShareCode("two", code("B"));
  expect([getShareCode("one"), getShareCode("two")]).toEqual([code("A"), code("B")]);
  expect(getShareCode("three")).toBeNull();
  beUser("mei");
  expect(getShareCode("one")).toBeNull();
  keepShareCode("three", code("C"));
  beUser("lin");
  expect(getShareCode("one")).toBeNull();
  visitor.set({ kind: "guest" });
  keepShareCode("four", code("D"));
  expect(getShareCode("four")).toBeNull();
});

it("keeps none of them after a sign-out", async () => {
  keepShareCode("one", code("A"));
  await endUserSession();
  expect(JSON.stringify({ ...localStorage })).not.toContain(code("A"));
  beUser("lin");
  expect(getShareCode("one")).toBeNull();
});

it("keeps the newest fifty, and ignores what it did not write", () => {
  for (let at = 0; at < 60; at += 1) keepShareCode(`${at}`, code("A"));
  expect(getShareCode("10")).toBe(code("A"));
  expect(getShareCode("9")).toBeNull();
  for (const nonsense of ["", "{", "[]", '{"userId":"lin","links":[{"shareId":"a","code":"b"}]}']) {
    localStorage.setItem("shareLinks", nonsense);
    expect(getShareCode("a")).toBeNull();
  }
});
