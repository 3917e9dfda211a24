import { expect, test } from "vitest";
import { appRouter } from "#server/app-router.ts";

interface Procedure {
  _def: { meta?: { access?: string } };
}

test("every procedure declares who may call it", () => {
  const procedures: Record<string, unknown> = { ...appRouter._def.procedures };
  const access = Object.entries(procedures as Record<string, Procedure>).map(
    ([path, procedure]) => [path, procedure._def.meta?.access],
  );
  expect(Object.fromEntries(access.filter(([, who]) => who !== "user"))).toEqual({
    "ai.context": "guest",
    "ai.lookUp": "guest",
    "ai.recap": "guest",
    "ai.translate": "guest",
    "auth.forgotPassword": "public",
    "auth.refresh": "public",
    "auth.session": "public",
    "auth.setPassword": "recovery",
    "auth.setSession": "public",
    "auth.signIn": "public",
    "auth.signOut": "public",
    "auth.signUp": "public",
    "auth.tokens": "public",
    "auth.verify": "public",
    "recording.guestTicket": "public",
    "site.info": "public",
    "subscriptions.plans": "public",
  });
});
