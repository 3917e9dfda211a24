// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { queryClient } from "#client/state/queries.tsx";
import { type Visitor, visitor } from "#client/state/visitor.ts";
import { createUser } from "#tests/unit/client/kit/user.ts";

const key = ["lectures"];
const shown = () => queryClient.getQueryData(key);

beforeEach(() => {
  visitor.set(createUser("one", false));
  queryClient.setQueryData(key, "what one has");
});

describe("data fetched for a user", () => {
  it.each<[string, Visitor]>([
    ["is gone when they sign out", { kind: "anonymous" }],
    ["is gone when they become a guest", { kind: "guest" }],
    ["is gone when somebody else is there", createUser("two")],
  ])("%s", (_name, next) => {
    visitor.set(next);
    expect(shown()).toBeUndefined();
  });

  it("stays when their address is confirmed", () => {
    visitor.set(createUser("one"));
    expect(shown()).toBe("what one has");
  });
});
