// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfirmNotice } from "#client/features/account/confirm-notice.tsx";
import { linkMessages } from "#client/features/account/link-messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { formMessages } from "#client/i18n/forms/index.ts";
import type {} from "#client/router.tsx";
import EmailConfirmationPage from "#client/routes/email-confirmation.tsx";
import ResetPasswordPage from "#client/routes/reset-password.tsx";
import { mailLink, readMailLink } from "#client/state/mail-link.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import { visitor } from "#client/state/visitor.ts";
import type { ErrorCode } from "#shared/errors.ts";
import {
  click,
  collectToasts,
  findButton,
  hide,
  show,
  type,
} from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { lin, signIn } from "#tests/unit/client/kit/user.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const navigate = vi.hoisted(() => vi.fn());
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => navigate }));

const unconfirmed = { ...lin, emailVerified: false };
const toasts = collectToasts();

beforeEach(async () => {
  await Promise.all([showLanguage("en"), linkMessages.load(), formMessages.load()]);
  sessionStorage.clear();
  navigate.mockReset();
});
afterEach(async () => {
  mailLink.set(null);
  queryClient.clear();
});

const readHeading = () => document.querySelector("h1")?.textContent;

describe.each([
  { type: "signup", failed: "Confirmation failed", node: <EmailConfirmationPage /> },
  { type: "recovery", failed: "Password reset failed", node: <ResetPasswordPage /> },
])("the page of a $type link", (page) => {
  const openLink = async (type: string, code: ErrorCode | "unreachable") => {
    const verify = () => {
      if (code === "unreachable") throw new TypeError("Failed to fetch");
      return new Refusal(code, 61);
    };
    mailLink.set({ kind: "token", tokenHash: "secret", type });
    const server = fakeServer({ "auth.verify": verify });
    await show(page.node);
    return server;
  };

  it.each([
    ["token_expired", "Link Expired", "link has expired. Please request a new one."],
    ["token_invalid", page.failed, "The link may have already been used or has expired."],
    ["rate_limited", page.failed, "Too many attempts. Please try again in 2 minutes."],
    ["unreachable", page.failed, "Dualect cannot be reached right now. Please try again."],
  ] as const)("says what is wrong (%s)", async (code, title, text) => {
    await openLink(page.type, code);
    await waitFor(() => expect(readHeading()).toBe(title));
    expect(document.querySelector("[role=alert]")?.textContent).toContain(text);
    expect(document.querySelectorAll("input")).toHaveLength(0);
  });

  it("refuses a link of another kind, or none, without asking the server", async () => {
    const { calls } = await openLink("other", "token_invalid");
    await waitFor(() => expect(readHeading()).toBe(page.failed));
    await hide();
    mailLink.set(null);
    await show(page.node);
    expect(readHeading()).toBe(page.failed);
    expect(calls).toEqual([]);
  });

  it("tries a link again that could not be checked", async () => {
    const { calls } = await openLink(page.type, "unreachable");
    await waitFor(() => expect(findButton("Try again")).toBeDefined());
    await click("Try again");
    await waitFor(() => expect(calls).toEqual(["auth.verify", "auth.verify"]));
    expect(navigate).not.toHaveBeenCalled();
  });
});

const refused =
  "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired";

it.each([
  ["/email-confirmation", "This confirmation link has expired. Please request a new one."],
  ["/verify", "This confirmation link has expired. Please request a new one."],
  ["/reset-password", "This password reset link has expired. Please request a new one."],
])("of %s says 'Link Expired' when the address says that it has expired", async (path, text) => {
  const { calls } = fakeServer({});
  const page = path === "/reset-password" ? <ResetPasswordPage /> : <EmailConfirmationPage />;
  const open = async (hash: string) => {
    await hide();
    const address = new URL(`${path}#${hash}`, "https://dualect.example");
    mailLink.set(readMailLink(address)?.link ?? null);
    await show(page);
  };
  await open(refused);
  await waitFor(() => expect(readHeading()).toBe("Link Expired"));
  expect(document.querySelector("[role=alert]")?.textContent).toContain(text);
  await open("error=server_error&error_description=Unexpected+failure");
  await waitFor(() => expect(readHeading()).toMatch(/failed$/u));
  expect(calls).toEqual([]);
});

it("leads from a failed link to a new one", async () => {
  await show(<EmailConfirmationPage />);
  await click("Retry");
  expect(navigate).toHaveBeenLastCalledWith({ to: "/auth", state: { unconfirmed: true } });
  await hide();
  await show(<ResetPasswordPage />);
  await click("Get a new link");
  expect(navigate).toHaveBeenLastCalledWith({ to: "/auth", state: { forgotten: true } });
});

it("says that another account is confirmed while one is signed in", async () => {
  signIn(unconfirmed);
  mailLink.set({ kind: "token", tokenHash: "of another", type: "signup" });
  const other = { id: "mei", email: "mei@example.edu", emailVerified: true };
  fakeServer({ "auth.verify": () => ({ type: "signup", user: other, signedIn: false }) });
  await show(<EmailConfirmationPage />);
  await waitFor(() => expect(readHeading()).toBe("Email confirmed"));
  expect(document.body.textContent).toContain("mei@example.edu is confirmed. You are still");
  expect(visitor.get()).toEqual({ kind: "user", user: unconfirmed });
});

it("names what is wrong with a new password", async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  sessionStorage.setItem("recovery", JSON.stringify({ email: lin.email, expiresAt }));
  const { calls } = fakeServer({});
  await show(<ResetPasswordPage />);
  const fields = document.querySelectorAll("input[type=password]");
  for (const [password, confirmation, text] of [
    ["short", "short", "Password must be at least 6 characters"],
    ["battery staple", "battery stable", "Passwords don't match"],
  ] as const) {
    await type(fields[0] ?? null, password);
    await type(fields[1] ?? null, confirmation);
    await click("Update password");
    await waitFor(() =>
      expect(toasts.at(-1)).toMatchObject({ title: "Validation Error", description: text }),
    );
  }
  expect(calls).toEqual([]);
});

it.each([
  [{ emailVerified: false, mailSent: true }, "Confirmation email sent", undefined],
  [{ emailVerified: false, mailSent: false }, "The confirmation email was not sent", undefined],
  [
    new Refusal("rate_limited", 3_600),
    "The confirmation email was not sent",
    "Too many attempts. Please try again in 60 minutes.",
  ],
])(
  "asks for a new confirmation mail, and says what became of it (%j)",
  async (answer, title, text) => {
    signIn(unconfirmed);
    fakeServer({
      "site.info": () => ({ outboxUrl: null }),
      "auth.resendConfirmation": () => answer,
    });
    await show(
      <DataProvider>
        <ConfirmNotice />
      </DataProvider>,
    );
    await click("Send a new link");
    await waitFor(() => expect(toasts.map(({ title }) => title)).toEqual([title]));
    if (text) expect(toasts[0]?.description).toBe(text);
  },
);
