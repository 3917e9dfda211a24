import { expect, test } from "vitest";
import { appRouter } from "#server/app-router.ts";
import { getNeededScope } from "#server/programs/token-access.ts";

interface Procedure {
  _def: { type: "query" | "mutation"; meta?: { access?: string } };
}

const procedures = Object.entries({
  ...appRouter._def.procedures,
} as unknown as Record<string, Procedure>);

test("every procedure declares who may call it", () => {
  const access = procedures.map(([path, procedure]) => [path, procedure._def.meta?.access]);
  expect(Object.fromEntries(access.filter(([, who]) => who !== "user"))).toEqual({
    "ai.context": "guest",
    "ai.formulas": "guest",
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

test("every procedure declares what a program's token needs", () => {
  const scopes = procedures.map(([path, { _def }]) => [path, getNeededScope(path, _def.type)]);
  const listWith = (scope: string | null) =>
    scopes.flatMap(([path, needed]) => (needed === scope ? [path] : [])).sort();
  expect(listWith(null)).toEqual([
    "auth.changePassword",
    "auth.deleteAccount",
    "auth.forgotPassword",
    "auth.refresh",
    "auth.resendConfirmation",
    "auth.session",
    "auth.setPassword",
    "auth.setSession",
    "auth.signIn",
    "auth.signOut",
    "auth.signUp",
    "auth.tokens",
    "auth.verify",
    "connections.allow",
    "connections.describe",
    "recording.guestTicket",
    "subscriptions.checkout",
    "subscriptions.downgrade",
    "subscriptions.portal",
    "subscriptions.resume",
    "subscriptions.simulateDowngrade",
    "subscriptions.simulatePayment",
    "takes.store",
    "tokens.create",
    "tokens.list",
    "tokens.revoke",
    "trash.empty",
    "trash.remove",
    "webhooks.create",
    "webhooks.delete",
    "webhooks.enable",
    "webhooks.list",
  ]);
  expect(listWith("read")).toEqual([
    "ask.list",
    "backups.capacity",
    "backups.lecture",
    "backups.questions",
    "backups.quiz",
    "backups.terms",
    "folders.chips",
    "folders.list",
    "glossary.get",
    "lectures.get",
    "lectures.item",
    "lectures.list",
    "lectures.names",
    "lectures.search",
    "marks.list",
    "people.list",
    "people.shared",
    "profiles.get",
    "profiles.summaryInstructions",
    "quiz.lectures",
    "quiz.list",
    "shares.get",
    "site.info",
    "slides.list",
    "slides.usage",
    "subscriptions.check",
    "subscriptions.plans",
    "takes.list",
    "trash.list",
  ]);
  for (const [path, { _def }] of procedures)
    if (listWith("write").includes(path)) expect([path, _def.type]).toEqual([path, "mutation"]);
});
