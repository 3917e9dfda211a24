import { env } from "cloudflare:test";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { lectureMembers, transcriptEntries, users } from "#drizzle/schema.ts";
import { lectureMembersMax } from "#shared/people.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { listMails, parseLink, waitForMail } from "#tests/worker/support/outbox.ts";
import { addEverything, createMark } from "#tests/worker/support/owned-rows.ts";
import { type Case, cases, type Known } from "#tests/worker/tenancy/cases.ts";
import { procedures } from "#tests/worker/tenancy/procedures.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);
type Person = Awaited<ReturnType<typeof openConfirmed>>;

async function openConfirmed() {
  const person = await openSignedIn();
  await db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, person.user.id));
  return person;
}

const getName = ({ user }: Person) => user.email.split("@")[0];

/** A lecture of two rows. */
async function createLecture({ trpc }: Person) {
  const id = crypto.randomUUID();
  await trpc.lectures.create.mutate({ id, title: "Light", targetLanguage: "zh" });
  const entries = [createEntry("Lihgt bends.", 0), createEntry("It slows down.", 1)];
  await trpc.lectures.saveRows.mutate({ lectureId: id, entries, deleted: [] });
  await trpc.lectures.change.mutate({ id, summary: "Only mine", context: "Optics" });
  return id;
}

const share = (owner: Person, lectureId: string, member: Person, role: "reads" | "corrects") =>
  owner.trpc.people.invite.mutate({ lectureId, email: member.user.email, role });

async function correct(
  { trpc }: Person,
  lectureId: string,
  original: string,
  originalByHand = true,
) {
  const { entries } = await trpc.lectures.get.query({ id: lectureId });
  const [first] = entries;
  if (!first) throw new Error("no row");
  return trpc.lectures.saveRows.mutate({
    lectureId,
    entries: [{ ...first, original, originalByHand }],
    deleted: [],
  });
}

const read = async ({ trpc }: Person, id: string) => trpc.lectures.get.query({ id });

let owner: Person;
let lectureId: string;
beforeAll(async () => {
  owner = await openConfirmed();
  lectureId = await createLecture(owner);
});

it("lets a person correct and mark, and tells each of the other's changes with their author", async () => {
  const ann = await openConfirmed();
  await share(owner, lectureId, ann, "corrects");
  const seen = await read(ann, lectureId);
  expect(seen).toMatchObject({
    title: "Light",
    access: { role: "corrects", owner: getName(owner) },
    ...{ summary: null, context: null, actionItems: [], folderId: null },
  });

  await correct(ann, lectureId, "Light bends.");
  const mark = { id: crypto.randomUUID(), atMs: 0, position: null, note: "Snell" };
  await ann.trpc.marks.change.mutate({ lectureId, marks: [mark], deletedIds: [] });
  const [first, second] = (await read(owner, lectureId)).entries;
  expect(first).toMatchObject({ original: "Light bends.", author: getName(ann) });
  expect(second).not.toHaveProperty("author");
  const marks = await owner.trpc.marks.list.query({ lectureId });
  expect(marks.items).toEqual([{ ...mark, author: getName(ann) }]);
  // Nobody is told of what they have written themselves.
  expect((await read(ann, lectureId)).entries[0]).not.toHaveProperty("author");

  await correct(owner, lectureId, "Light is bent.");
  expect((await read(ann, lectureId)).entries[0]).toMatchObject({
    original: "Light is bent.",
    author: getName(owner),
  });
  expect((await read(owner, lectureId)).entries[0]).not.toHaveProperty("author");
  // Whatever a person says of their text, it is theirs.
  await correct(ann, lectureId, "Light is bent here.", false);
  expect((await read(owner, lectureId)).entries[0]).toMatchObject({ author: getName(ann) });
  const list = await ann.trpc.people.shared.query();
  expect(list).toMatchObject([{ id: lectureId, title: "Light", owner: getName(owner) }]);
});

it("keeps what another has written meanwhile, and says whose it is", async () => {
  const ann = await openConfirmed();
  await share(owner, lectureId, ann, "corrects");
  const [before] = (await read(ann, lectureId)).entries;
  if (!before) throw new Error("no row");
  await correct(owner, lectureId, "Light turns.");
  const entries = [{ ...before, original: "Light breaks.", originalByHand: true }];
  const { changed } = await ann.trpc.lectures.saveRows.mutate({ lectureId, entries, deleted: [] });
  expect(changed).toMatchObject([{ original: "Light turns.", author: getName(owner) }]);
});

describe("a member", () => {
  /** What a person with access may call of the owner's; the cases of tests/worker/tenancy say what a stranger may. */
  const readable = ["lectures.get", "marks.list", "takes.list", "lectures.names"];
  const correctable = ["lectures.saveRows", "marks.change"];
  const named = procedures.filter(({ path, access }) => {
    const found: Case | undefined = cases[path];
    return access === "user" && found?.stranger === "not_found" && !found.stream;
  });

  it.each(["reads", "corrects"] as const)(
    "who %s gets nothing else of the owner's",
    async (role) => {
      const member = await openConfirmed();
      const first = await openConfirmed();
      const owned = await addEverything(db, first.user.id, createMark());
      const { email, id: userId } = first.user;
      const known: Known = { ...owned, email, userId, storedHash: "hash" };
      await share(first, owned.lectureId, member, role);
      const allowed = [...readable, ...(role === "corrects" ? correctable : [])];
      for (const { path, type } of named) {
        const body = JSON.stringify(cases[path]?.input(known));
        const response =
          type === "query"
            ? await member.browser.fetch(`/trpc/${path}?input=${encodeURIComponent(body)}`)
            : await member.browser.fetch(`/trpc/${path}`, {
                method: "POST",
                headers: { "content-type": "application/json" },
                body,
              });
        const answer = (await response.json()) as { error?: { data: { appCode: string } } };
        const code = answer.error?.data.appCode ?? null;
        // The case deletes a row.
        const allows = path === "lectures.saveRows" ? "validation_failed" : null;
        expect({ path, code }).toEqual({
          path,
          code: allowed.includes(path) ? allows : "not_found",
        });
      }
      expect(await listNames(member, owned.lectureId)).toEqual([owned.lectureId]);
      const others = { lectureId: owned.lectureId, email: "y@example.org", role };
      expect(await getErrorCode(member.trpc.people.invite.mutate(others))).toBe("not_found");
      await member.trpc.people.remove.mutate({ ...others, email: null });
      expect(await member.trpc.people.list.query(others)).toEqual([]);
      expect(await first.trpc.people.list.query(others)).toHaveLength(3);
    },
  );

  it("who corrects adds no rows and deletes none", async () => {
    const member = await openConfirmed();
    const id = await createLecture(owner);
    await share(owner, id, member, "corrects");
    const added = createEntry("Mine", 2);
    const { deletedIds } = await member.trpc.lectures.saveRows.mutate({
      ...{ lectureId: id, entries: [added], deleted: [] },
    });
    expect(deletedIds).toEqual([added.id]);
    const { entries } = await read(member, id);
    expect(entries).toHaveLength(2);
    const deleted = entries.map(({ id: row, seq }) => ({ id: row, seq }));
    const call = member.trpc.lectures.saveRows.mutate({ lectureId: id, entries: [], deleted });
    expect(await getErrorCode(call)).toBe("validation_failed");
  });

  it("gets another role without another mail", async () => {
    const member = await openConfirmed();
    const id = await createLecture(owner);
    await share(owner, id, member, "corrects");
    const { email } = member.user;
    await owner.trpc.people.change.mutate({ lectureId: id, email, role: "reads" });
    expect(await getErrorCode(correct(member, id, "Too late."))).toBe("not_found");
    expect((await read(member, id)).access).toMatchObject({ role: "reads" });
    expect(await listMails(email)).toHaveLength(1);
  });

  it("has no access before they have confirmed their address", async () => {
    const member = await openSignedIn();
    await share(owner, lectureId, member, "corrects");
    await expectNoAccess(member, lectureId);
    await db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, member.user.id));
    expect((await read(member, lectureId)).entries).toHaveLength(2);
  });
});

const listNames = async ({ trpc }: Person, id: string) =>
  (await trpc.lectures.names.query({ ids: [id] })).lectures.map((one) => one.id);

async function expectNoAccess(person: Person, id: string) {
  expect(await getErrorCode(read(person, id))).toBe("not_found");
  const entries = [createEntry("x", 0)];
  const save = person.trpc.lectures.saveRows.mutate({ lectureId: id, entries, deleted: [] });
  expect(await getErrorCode(save)).toBe("not_found");
  expect(await person.trpc.marks.list.query({ lectureId: id })).toMatchObject({ items: [] });
  expect(await person.trpc.people.shared.query()).toEqual([]);
  // Pages delete their copies of what is not named.
  expect(await listNames(person, id)).toEqual([]);
}

describe("ends at once", () => {
  const ends: [string, (id: string, member: Person) => Promise<unknown>][] = [
    [
      "for one person",
      (id, { user }) => owner.trpc.people.remove.mutate({ lectureId: id, email: user.email }),
    ],
    ["for everybody", (id) => owner.trpc.people.remove.mutate({ lectureId: id, email: null })],
    ["when the person leaves", (id, { trpc }) => trpc.people.leave.mutate({ lectureId: id })],
    [
      "with the lecture, also when that is restored",
      async (id) => {
        const deletion = await owner.trpc.lectures.delete.mutate({ id });
        if (deletion.id) await owner.trpc.trash.restore.mutate({ id: deletion.id });
      },
    ],
  ];
  it.each(ends)("%s", async (_, end) => {
    const member = await openConfirmed();
    const id = await createLecture(owner);
    await share(owner, id, member, "corrects");
    await correct(member, id, "Corrected.");
    await end(id, member);
    await expectNoAccess(member, id);
    expect(await owner.trpc.people.list.query({ lectureId: id })).toEqual([]);
    // What they have corrected stays.
    expect((await read(owner, id)).entries[0]).toMatchObject({
      original: "Corrected.",
      author: getName(member),
    });
  });

  it("with the account of either, whose address is in no list then", async () => {
    const [first, member] = [await openConfirmed(), await openConfirmed()];
    const id = await createLecture(first);
    await share(first, id, member, "corrects");
    await correct(member, id, "Corrected.");
    await member.trpc.auth.deleteAccount.mutate({ confirmation: "delete" });
    expect(await first.trpc.people.list.query({ lectureId: id })).toEqual([]);
    const [row] = await db
      .select()
      .from(transcriptEntries)
      .where(sql`lecture_id = ${id}::uuid and original = 'Corrected.'`);
    expect(row).toMatchObject({ editedBy: null });

    const second = await openConfirmed();
    await share(first, id, second, "reads");
    await first.trpc.auth.deleteAccount.mutate({ confirmation: "delete" });
    await expectNoAccess(second, id);
    const left = await db.select().from(lectureMembers).where(eq(lectureMembers.lectureId, id));
    expect(left).toEqual([]);
  });
});

describe("an invitation", () => {
  it("answers and writes to an unknown address as to a known one", async () => {
    const [known, email] = [await openConfirmed(), `${crypto.randomUUID()}@example.org`];
    const invite = (address: string) =>
      owner.trpc.people.invite.mutate({ lectureId, email: ` ${address} `, role: "reads" });
    expect(await invite(email)).toEqual({ mailSent: true });
    expect(await invite(known.user.email)).toEqual({ mailSent: true });
    const [one, other] = [await waitForMail(email), await waitForMail(known.user.email)];
    expect(one.subject).toBe(other.subject);
    expect(parseLink(one).link.searchParams.get("lecture")).toBe(lectureId);
    expect(one.text).toContain(owner.user.email);
    expect(one.text).not.toContain("Light");
  });

  it("is refused without a confirmed address, of oneself, and of nonsense", async () => {
    const stranger = await openSignedIn();
    const invite = (person: Person, email: string) =>
      person.trpc.people.invite.mutate({ lectureId, email, role: "reads" });
    expect(await getErrorCode(invite(stranger, "a@example.org"))).toBe("validation_failed");
    expect(await getErrorCode(invite(owner, owner.user.email))).toBe("validation_failed");
    expect(await getErrorCode(invite(owner, "a@b@c"))).toBe("validation_failed");
    expect(await getErrorCode(invite(owner, `${"a".repeat(300)}@example.org`))).toBe(
      "validation_failed",
    );
  });

  it("is refused when the lecture has as many people as it can have; mails have a limit of their own", async () => {
    const first = await openConfirmed();
    const id = await createLecture(first);
    const email = `${crypto.randomUUID()}@example.org`;
    await db.insert(lectureMembers).values(
      Array.from({ length: lectureMembersMax - 1 }, (_, n) => ({
        ...{ lectureId: id, userId: first.user.id, email: `${n}-${email}`, role: "reads" as const },
      })),
    );
    const invite = (address: string) =>
      first.trpc.people.invite.mutate({ lectureId: id, email: address, role: "corrects" });
    for (let count = 0; count < 5; count += 1)
      expect(await invite(email)).toEqual({ mailSent: true });
    expect(await invite(email)).toEqual({ mailSent: false });
    expect(await listMails(email)).toHaveLength(5);
    expect(await getErrorCode(invite(`other-${email}`))).toBe("conflict");
    expect(await first.trpc.people.list.query({ lectureId: id })).toHaveLength(lectureMembersMax);
  });
});
