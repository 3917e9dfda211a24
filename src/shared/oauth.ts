/** What programs ask for tokens for. */
export const resourcePath = "/mcp";

/** Endpoints that programs call; no cookie counts there. */
export const registrationPath = "/api/oauth/register";
export const tokenPath = "/api/oauth/token";
export const revocationPath = "/api/oauth/revoke";

/** The page that asks the person, with a request that the server has checked and signed, or with what is wrong with it. */
export const consentPath = "/connect";
export const consentParam = "request";
export const problemParam = "problem";

/** Why a program's request is not shown to the person. Nobody is sent back to the program: its address may be anybody's. */
export const requestProblems = ["client", "redirect", "request", "resource"] as const;
export type RequestProblem = (typeof requestProblems)[number];

/** Longest signed request, which is part of an address. */
export const consentRequestMaxLength = 6_000;

/** What the page shows of a request. */
export interface ConsentRequest {
  /** As the program calls itself. */
  name: string;
  /** Where its answer leads: a host of the web, or null for a program on the person's own machine. */
  host: string | null;
  /** Leads back to the program, which learns that it may not. */
  refusal: string;
}
