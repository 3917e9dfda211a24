import { describe, it } from "vitest";
import { openSignedUp } from "#tests/worker/support/browser.ts";
import { lockOut, openRecovery } from "#tests/worker/support/lockout.ts";

const newPassword = "battery staple";

describe("strangers who guess at an account's password", () => {
  it("do not keep its owner from changing the password", async () => {
    const { trpc, credentials } = await openSignedUp();
    await lockOut(credentials.email);
    const currentPassword = credentials.password;
    await trpc.auth.changePassword.mutate({ currentPassword, newPassword });
  });

  it("do not keep its owner from setting a new one by a link and signing in", async () => {
    const { credentials } = await openSignedUp();
    const { trpc } = await openRecovery(credentials.email, 2);
    await lockOut(credentials.email);
    await trpc.auth.setPassword.mutate({ password: newPassword });
    await trpc.auth.signIn.mutate({ ...credentials, password: newPassword });
  });

  it("do not keep its owner from signing in on a known device", async () => {
    const { trpc, credentials } = await openSignedUp();
    await trpc.auth.signOut.mutate();
    await lockOut(credentials.email);
    await trpc.auth.signIn.mutate(credentials);
  });
});
