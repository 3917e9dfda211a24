// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { programMessages } from "#client/features/account/programs/messages/index.ts";
import Programs from "#client/features/account/programs/programs.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import type {} from "#client/router.tsx";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import type { PersonalToken, Webhook } from "#shared/programs.ts";
import {
  click,
  collectToasts,
  find,
  findButton,
  getToastText,
  settle,
  show,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";

const secret = `dualect_${"A".repeat(43)}`;
const key = `whsec_${"B".repeat(43)}=`;
const toasts = collectToasts(getToastText);

let tokens: PersonalToken[];
let webhooks: Webhook[];
let refusals: Refusal[];
let server: ReturnType<typeof fakeServer>;

const createToken = (over: Partial<PersonalToken> = {}): PersonalToken => ({
  id: "one",
  name: "Notes",
  scope: "read",
  lastUsedAt: null,
  createdAt: "2026-11-20T09:00:00.000Z",
  expiresAt: new Date(2199, 1, 18).toISOString(),
  ...over,
});
const createWebhook = (over: Partial<Webhook> = {}): Webhook => ({
  id: "hook",
  url: "https://hooks.example.org/",
  createdAt: "2026-11-20T09:00:00.000Z",
  lastAttemptAt: null,
  lastStatus: null,
  failures: 0,
  isDisabled: false,
  ...over,
});

beforeAll(() => Promise.all([showLanguage("en"), programMessages.load()]));
beforeEach(() => {
  signIn();
  [tokens, webhooks, refusals] = [[], [], []];
  const change = (answer: () => unknown) => () => refusals.shift() ?? answer();
  server = fakeServer({
    "tokens.list": () => tokens,
    "tokens.create": change(() => {
      const token = createToken();
      tokens = [token];
      return { secret, token };
    }),
    "tokens.revoke": change(() => {
      tokens = [];
    }),
    "webhooks.list": () => webhooks,
    "webhooks.create": change(() => {
      const webhook = createWebhook();
      webhooks = [webhook];
      return { key, webhook };
    }),
    "webhooks.delete": change(() => {
      webhooks = [];
    }),
    "webhooks.enable": change(() => {
      webhooks = [createWebhook()];
    }),
  });
});
afterEach(() => queryClient.clear());

const open = () =>
  show(
    <DataProvider>
      <Programs />
    </DataProvider>,
  );
const field = (name: string) => document.querySelector(`input[name=${name}]`);

it("makes a token, shows it once, and revokes it", async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
  await open();
  await waitForText("No tokens yet.");
  await click("New token");
  await waitForText("may do this in your name");
  await click("Create token");
  await waitForText("Enter a name");
  await type(field("name"), " Notes ");
  await act(async () =>
    document.querySelector<HTMLElement>("input[type=radio]:not(:checked)")?.click(),
  );
  await click("Create token");
  await settle(() =>
    expect(document.querySelector<HTMLInputElement>("input[readonly]")?.value).toBe(secret),
  );
  expect(server.sent).toEqual([{ 0: { name: "Notes", scope: "write", days: 90 } }]);
  await click("Copy");
  expect(writeText).toHaveBeenCalledWith(secret);
  await click("Done");
  await waitForText("never used");
  expect(document.body.textContent).toContain("Read · never used · expires Feb 18, 2199");
  await settle(() => expect(document.querySelector("input[readonly]")).toBeNull());

  await click("New token");
  await settle(() => expect(field("name")).not.toBeNull());
  await click("Cancel");
  await click("Revoke Notes");
  await waitForText("stops working at once");
  await click("Revoke");
  await waitForText("No tokens yet.");
});

it("asks for the password when the sign-in is not recent, until it is right", async () => {
  refusals = [new Refusal("reauthentication_required"), new Refusal("current_password_invalid")];
  await open();
  await click("New token");
  await settle(() => expect(field("name")).not.toBeNull());
  await type(field("name"), "Notes");
  await click("Create token");
  await settle(() => expect(field("password")).not.toBeNull());
  await type(field("password"), "wrong horse");
  await click("Create token");
  await waitForText("Please enter your current password correctly");
  await type(field("password"), "correct horse");
  await click("Create token");
  await settle(() => expect(document.querySelector("input[readonly]")).not.toBeNull());
  expect(server.sent.at(-1)).toMatchObject({ 0: { name: "Notes", password: "correct horse" } });
});

it("says at the field what is wrong with an address, and shows a webhook's key once", async () => {
  refusals = [new Refusal("validation_failed")];
  await open();
  await click("New webhook");
  await settle(() => expect(field("url")).not.toBeNull());
  await type(field("url"), "http://localhost");
  await click("Create webhook");
  await waitForText("Enter a public address that begins with https://");
  await type(field("url"), "https://hooks.example.org/");
  await click("Create webhook");
  await settle(() =>
    expect(document.querySelector<HTMLInputElement>("input[readonly]")?.value).toBe(key),
  );
  await click("Done");
  await waitForText("nothing sent yet");
});

it("tells that a webhook has stopped, and starts it again", async () => {
  webhooks = [
    createWebhook({
      isDisabled: true,
      failures: 10,
      lastStatus: null,
      lastAttemptAt: new Date(2026, 10, 25, 10).toISOString(),
    }),
    createWebhook({
      id: "other",
      lastStatus: 204,
      lastAttemptAt: new Date(2026, 10, 25, 10).toISOString(),
    }),
  ];
  await open();
  await waitForText("Stopped because it kept failing · 10 failed attempts · did not answer");
  expect(document.body.textContent).toContain("answered 204, Nov 25, 2026");
  refusals = [new Refusal("unavailable")];
  await click("Start again");
  await settle(() =>
    expect(toasts).toContain("Dualect cannot be reached right now. Please try again."),
  );
  await click("Start again");
  await waitForText("nothing sent yet");
  expect(findButton("Start again")).toBeUndefined();
});

it("offers no more tokens than there can be, and names one that has expired", async () => {
  tokens = Array.from({ length: 20 }, (_, n) => createToken({ id: String(n), name: `Token ${n}` }));
  tokens[0] = createToken({ expiresAt: new Date(2026, 10, 1).toISOString() });
  await open();
  await waitForText("You have 20 tokens, the most there can be.");
  const button = await find("button", "New token");
  expect(button.hasAttribute("disabled")).toBe(true);
  expect(document.body.textContent).toContain("expired Nov 1, 2026");
});

it("says that the lists could not be loaded, and loads them again", async () => {
  let fails = true;
  const answer = (list: object[]) => () => (fails ? new Refusal("not_found") : list);
  fakeServer({ "tokens.list": answer(tokens), "webhooks.list": answer(webhooks) });
  await open();
  await waitForText("Tokens and webhooks could not be loaded.");
  fails = false;
  await click("Try again");
  await waitForText("No webhooks yet.");
});
