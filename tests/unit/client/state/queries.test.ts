// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { type Visitor, visitor } from "#client/state/auth.ts";
import { queryClient } from "#client/state/queries.tsx";

const user = (id: string, emailVerified = false): Visitor => ({
  kind: "user",
  user: { id, email: `${id}@example.edu`, emailVerified },
});
const key = ["lectures"];
const shown = () => queryClient.getQueryData(key);

beforeEach(() => {
  visitor.set(user("one"));
  queryClient.setQueryData(key, "what one has");
});

describe("data fetched for a user", () => {
  it.each<[string, Visitor]>([
    ["is gone when they sign out", { kind: "anonymous" }],
    ["is gone when they become a guest", { kind: "guest" }],
    ["is gone when somebody else is there", user("two")],
  ])("%s", (_name, next) => {
    visitor.set(next);
    expect(shown()).toBeUndefined();
  });

  it("stays when their address is confirmed", () => {
    visitor.set(user("one", true));
    expect(shown()).toBe("what one has");
  });
});
