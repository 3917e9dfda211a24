import type { Credentials, SessionUser } from "#shared/account.ts";
import { withChallenge } from "./challenge.ts";
import { forgetSignOut, waitForSignOut } from "./server-sign-out.ts";
import { beginSession, endSession } from "./session.ts";
import { chooseTheme, themeChoice } from "./theme.ts";
import { trpc } from "./trpc.ts";

export async function signIn(credentials: Credentials): Promise<SessionUser> {
  await waitForSignOut();
  const { user } = await trpc.auth.signIn.mutate(credentials);
  return completeSignIn(user);
}

/** Creates an account and signs in. `mailSent`: the confirmation mail was sent. `invitation`: of a link, or null. */
export async function signUp(
  credentials: Credentials,
  invitation: string | null = null,
): Promise<{ user: SessionUser; mailSent: boolean }> {
  await waitForSignOut();
  const { user, mailSent } = await withChallenge("sign_up", (challenge) =>
    trpc.auth.signUp.mutate({
      ...credentials,
      ...(challenge && { challenge }),
      ...(invitation !== null && { invitation }),
    }),
  );
  completeSignIn(user);
  // A new account's profile takes this device's theme, and not the other way round.
  chooseTheme(themeChoice.get());
  return { user, mailSent };
}

export function requestPasswordReset(email: string): Promise<void> {
  return withChallenge("forgot_password", (challenge) =>
    trpc.auth.forgotPassword.mutate({ email, ...(challenge && { challenge }) }),
  );
}

/** Confirms the address that a link was sent to. Signs in where nobody was signed in. */
export async function confirmEmail(
  tokenHash: string,
): Promise<{ user: SessionUser; signedIn: boolean }> {
  await waitForSignOut();
  const answer = await trpc.auth.verify.mutate({ type: "signup", tokenHash });
  if (answer.type !== "signup") throw new Error(`A confirmation was answered as ${answer.type}`);
  const { user, signedIn } = answer;
  if (signedIn) completeSignIn(user);
  return { user, signedIn };
}

function completeSignIn(user: SessionUser): SessionUser {
  forgetSignOut();
  beginSession(user);
  return user;
}

export async function deleteAccount(input: {
  confirmation: string;
  password?: string;
}): Promise<void> {
  await trpc.auth.deleteAccount.mutate(input);
  endSession();
}
