import { describe, expect, test } from "vitest";
import { createInvitationLink, invitationLifetimeMs } from "#server/auth/invitations.ts";
import { createCredentials } from "#tests/worker/support/browser.ts";
import { listMails, waitForMail } from "#tests/worker/support/outbox.ts";
import { readEnv } from "#worker/env.ts";
import { openSite, origin } from "./site.ts";

const invite = (site: ReturnType<typeof openSite>, email: string, agoMs = 0) => {
  const secret = readEnv(site.bindings).guestTicketSecret;
  const now = new Date(Date.now() - agoMs);
  return readInvitation(createInvitationLink({ secret, origin, now }, email));
};

function readInvitation(link: string): string {
  const { pathname, search, hash } = new URL(link);
  expect(pathname + search).toBe("/auth");
  return new URLSearchParams(hash.slice(1)).get("invitation") ?? "";
}

const confirmed = { mailSent: false, user: { emailVerified: true } };

test("a site that is open has accounts for everybody, as everywhere", async () => {
  const { call } = openSite({ SIGN_UP: "open" });
  const answer = await call("auth.signUp", { input: createCredentials() });
  expect(answer.data).toMatchObject({ mailSent: true, user: { emailVerified: false } });
});

describe("a site by invitation", () => {
  const site = openSite({ SIGN_UP: "invitation" });
  const signUp = (input: object) => site.call("auth.signUp", { input });

  test("has no accounts for others, and tells nobody who has one", async () => {
    const member = createCredentials();
    await signUp({ ...member, invitation: invite(site, member.email) });
    for (const credentials of [createCredentials(), member])
      expect((await signUp(credentials)).code).toBe("invitation_required");
  });

  test("creates a confirmed account, once", async () => {
    const credentials = createCredentials();
    const input = { ...credentials, invitation: invite(site, credentials.email) };
    const answer = await signUp(input);
    expect(answer.data).toMatchObject(confirmed);
    expect(answer.cookie).toMatch(/^__Host-dualect_session=/);
    expect((await signUp(input)).code).toBe("email_in_use");
    expect(await listMails(credentials.email)).toEqual([]);
  });

  test("refuses invitations of others, forged ones and late ones", async () => {
    const credentials = createCredentials();
    const another = invite(site, createCredentials().email);
    const late = invite(site, credentials.email, invitationLifetimeMs);
    const forged = `${invite(site, credentials.email).split(".")[0]}.AAAA`;
    expect((await signUp({ ...credentials, invitation: another })).code).toBe("token_invalid");
    expect((await signUp({ ...credentials, invitation: forged })).code).toBe("token_invalid");
    expect((await signUp({ ...credentials, invitation: late })).code).toBe("token_expired");
  });

  test("takes no guest's ticket for an invitation, nor an invitation for a ticket", async () => {
    const open = openSite({ SIGN_UP: "open" });
    const { data } = await open.call("recording.guestTicket", { input: { previous: null } });
    const credentials = createCredentials();
    expect((await signUp({ ...credentials, invitation: data?.ticket })).code).toBe("token_invalid");
    const ticket = invite(site, credentials.email);
    const answer = await site.fetch(`/api/recordings/${crypto.randomUUID()}?ticket=${ticket}`);
    expect(answer.status).toBe(403);
  });

  test("has no guests, unless a setting gives them time", async () => {
    const input = { previous: null };
    expect((await site.call("recording.guestTicket", { input })).code).toBe("sign_in_required");
    const { call } = openSite({ SIGN_UP: "invitation", GUEST_MINUTES_PER_DAY: "5" });
    expect((await call("recording.guestTicket", { input })).code).toBeNull();
  });
});

describe("a site for mail domains", () => {
  const { call } = openSite({
    SIGN_UP: "domain",
    SIGN_UP_DOMAINS: "example.edu, students.example.edu",
  });
  const signUp = (input: object) => call("auth.signUp", { input });
  const createMember = (domain: string) => ({
    ...createCredentials(),
    email: `${crypto.randomUUID()}@${domain}`,
  });

  test.each(["example.org", "evil.example.edu", "example.edu.example.org", "notexample.edu"])(
    "has no accounts for %s",
    async (domain) => {
      const stranger = createMember(domain);
      expect((await signUp(stranger)).code).toBe("domain_required");
      expect(await listMails(stranger.email)).toEqual([]);
    },
  );

  test("creates an account only with the link that the address gets", async () => {
    const member = createMember("Students.Example.edu");
    expect((await signUp(member)).code).toBe("invitation_sent");
    expect((await call("auth.signIn", { input: member })).code).toBe("credentials_invalid");
    const { text } = await waitForMail(member.email.toLowerCase());
    const invitation = readInvitation(/https:\/\/\S+/.exec(text)?.[0] ?? "");
    // Whoever has asked for the link, the password is that of who has opened it.
    const owner = { ...member, password: "another correct horse" };
    expect((await signUp({ ...owner, invitation })).data).toMatchObject(confirmed);
    expect((await call("auth.signIn", { input: member })).code).toBe("credentials_invalid");
    expect((await call("auth.signIn", { input: owner })).code).toBeNull();
  });

  test("sends an address five links a day, whoever asks", async () => {
    const member = createMember("example.edu");
    const ask = async (n: number) => {
      const headers = { "cf-connecting-ip": `2001:db8:5e1f:${n}::1` };
      return (await call("auth.signUp", { input: member, headers })).code;
    };
    for (let n = 0; n < 5; n += 1) expect(await ask(n)).toBe("invitation_sent");
    expect(await ask(5)).toBe("daily_limit_reached");
    expect(await listMails(member.email)).toHaveLength(5);
  });
});

describe("a site behind the organisation's sign-on", () => {
  const { call } = openSite({ SIGN_UP: "sign-on", SIGN_ON_HEADER: "Remote-Email" });

  test("has accounts for who is signed on there, with that address", async () => {
    const credentials = createCredentials();
    const signUp = (headers: Record<string, string> = {}) =>
      call("auth.signUp", { input: credentials, headers });
    expect((await signUp()).code).toBe("sign_on_required");
    const other = { "remote-email": createCredentials().email };
    expect((await signUp(other)).code).toBe("sign_on_other_address");
    const own = { "remote-email": credentials.email.toUpperCase() };
    expect((await signUp(own)).data).toMatchObject(confirmed);
  });
});
