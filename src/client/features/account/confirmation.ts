import { confirmAddress, type Visitor, visitor } from "../../lib/auth.ts";
import type { MailLink } from "../../lib/mail-link.ts";
import { type LinkFailure, linkFailure, oncePerLink } from "./link-outcome.ts";

export type Confirmation =
  | {
      at: "success";
      email: string;
      /** Somebody else is signed in here, and stays so. */
      elsewhere: boolean;
      /** When the page leads on, ms. */
      leaveAfterMs: number;
    }
  | LinkFailure;

const leaveMs = 2_000;
const leaveSignedInMs = 1_000;

const isUser = (who: Visitor) => who.kind === "user";

/** Confirms the address that `link` was sent to. */
export const confirmByLink = oncePerLink(async (link: MailLink): Promise<Confirmation> => {
  if (link.kind !== "token" || link.type !== "signup") return { at: "error" };
  const signedInBefore = isUser(visitor.get());
  try {
    const { user, signedIn } = await confirmAddress(link.tokenHash);
    return {
      at: "success",
      email: user.email,
      elsewhere: !signedIn,
      leaveAfterMs: signedInBefore ? leaveSignedInMs : leaveMs,
    };
  } catch (failure) {
    return linkFailure(failure);
  }
});
