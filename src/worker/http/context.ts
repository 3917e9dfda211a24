import type { Context as HttpContext } from "hono";
import * as z from "zod/mini";
import type { Context } from "#server/context.ts";
import { hasPlans } from "#server/subscriptions/queries.ts";
import { namesHeader, pageHeader, rowIdNames } from "#shared/site.ts";
import { limitHashes } from "#worker/adapters/password-hasher.ts";
import { getAddressKey, getCallerAddress, getNetworkKey } from "./middleware/address.ts";
import { toProgramsKey } from "./middleware/early-calls.ts";
import type { AppEnv } from "./middleware/identity.ts";
import { streamType } from "./middleware/unread-answers.ts";

const pageId = z.uuid();

/** The context of procedures that are called for an HTTP request. */
export function createContext(
  c: HttpContext<AppEnv>,
  { answerBudget, responseHeaders }: Pick<Context, "answerBudget" | "responseHeaders">,
): Context {
  const { env, accountCalls, ...services } = c.get("services");
  const program = c.get("program");
  return {
    ...services,
    accountCalls: program
      ? { addCalls: (userId, count) => accountCalls.addCalls(toProgramsKey(userId), count) }
      : accountCalls,
    hasher: limitHashes(services.hasher),
    requestId: c.get("requestId"),
    session: program?.session ?? c.get("session"),
    token: program?.token ?? null,
    recovery: c.get("recovery"),
    guest: c.get("guest"),
    addressKey: getAddressKey(c.req.raw),
    networkKey: getNetworkKey(c.req.raw),
    takesStream: c.req.header("trpc-accept") === streamType,
    answerBudget,
    pageId: pageId.safeParse(c.req.header(pageHeader)).data ?? null,
    hasFormerRows: program === null && c.req.header(namesHeader) !== rowIdNames,
    cookieHeader: program ? null : (c.req.header("cookie") ?? null),
    signedOnAs: (env.signUp.signOnHeader && c.req.header(env.signUp.signOnHeader)) ?? null,
    remoteAddress: getCallerAddress(c.req.raw),
    responseHeaders,
    runInBackground: (work) => c.executionCtx.waitUntil(work),
    settings: {
      guestTicketSecret: env.guestTicketSecret,
      secureCookies: env.appEnv !== "development",
      speechService: env.speechService,
      recognizer: env.recognizer,
      translationPace: env.translationPace,
      lacksModel: !env.hasModel,
      lacksPlans: !hasPlans(env.billing.mode),
      standIns: env.standIns,
      isDemoDefault: env.isDemoDefault,
      outboxUrl: env.outboxUrl,
      challenge: env.turnstile && {
        siteKey: env.turnstile.siteKey,
        scriptUrl: env.turnstile.scriptUrl,
      },
      origin: env.appOrigin ?? new URL(c.req.url).origin,
      billing: env.billing,
      signUp: env.signUp,
      guestMinutesPerDay: env.guestMinutesPerDay,
      dailyLimits: env.dailyLimits,
      modelBudget: env.modelBudget,
    },
  };
}
