import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SqlBackend } from "#local/postgres/backend.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { mainBackend } from "#tests/unit/local/postgres/backends.ts";

describe("the rules of the tables", () => {
  let backend: SqlBackend;
  beforeAll(async () => {
    backend = await mainBackend.open();
    await migrateDatabase(backend.batch);
  }, 60_000);
  afterAll(() => backend.close());

  const run = async (query: string, ...params: (string | null)[]) =>
    (await backend.run({ query, params })).rows;
  /** The name of the constraint that refuses a statement. */
  const findViolation = (statement: Promise<unknown>): Promise<string> =>
    statement.then(
      () => "none",
      (error) => error.constraint,
    );

  async function user(): Promise<string> {
    const id = randomUUID();
    await run("insert into users (id, email, password_hash) values ($1, $2, 'x')", id, `${id}@a.b`);
    return id;
  }
  async function folder(userId: string, parent: string | null = null, name = "Folder") {
    const id = randomUUID();
    const columns = "id, user_id, parent_folder_id, name";
    await run(`insert into folders (${columns}) values ($1, $2, $3, $4)`, id, userId, parent, name);
    return id;
  }
  async function lecture(userId: string, folderId: string | null = null, title = "Lecture") {
    const id = randomUUID();
    const columns = "id, user_id, folder_id, title, target_language";
    await run(
      `insert into lectures (${columns}) values ($1, $2, $3, $4, 'ja')`,
      ...[id, userId, folderId, title],
    );
    return id;
  }
  async function entry(lectureId: string, position: string, startMs = "0", endMs = "1") {
    const columns = "lecture_id, position, original, translated, start_ms, end_ms, revision";
    await run(
      `insert into transcript_entries (${columns}) values ($1, $2, 'a', 'b', $3, $4, 0)`,
      ...[lectureId, position, startMs, endMs],
    );
  }
  async function time(userId: string, lectureId: string | null, month = "2026-11-01", ms = "1") {
    const recordingId = randomUUID();
    const columns = "recording_id, segment, user_id, lecture_id, month, recorded_ms";
    await run(
      `insert into usage_ledger (${columns}, started_at, flushed_at)
       values ($1, 0, $2, $3, $4, $5, now(), now())`,
      ...[recordingId, userId, lectureId, month, ms],
    );
    return recordingId;
  }

  test("a folder lies only in a folder of the same user", async () => {
    const [mine, other] = [await user(), await user()];
    const parent = await folder(mine);
    const child = await folder(mine, parent);
    const refused = "folders_parent_same_user_fk";
    expect(await findViolation(folder(other, parent))).toBe(refused);
    const foreign = await folder(other);
    expect(
      await findViolation(
        run("update folders set parent_folder_id = $1 where id = $2", foreign, child),
      ),
    ).toBe(refused);
    // Moving a folder that has children to another user would break the tree as well.
    expect(
      await findViolation(run("update folders set user_id = $1 where id = $2", other, parent)),
    ).toBe(refused);
    expect(
      await findViolation(run("update folders set parent_folder_id = id where id = $1", child)),
    ).toBe("folders_not_own_parent");
  });

  test("a lecture lies only in a folder of the same user", async () => {
    const [mine, other] = [await user(), await user()];
    const refused = "lectures_folder_same_user_fk";
    const foreign = await folder(other);
    expect(await findViolation(lecture(mine, foreign))).toBe(refused);
    const id = await lecture(mine, await folder(mine));
    expect(
      await findViolation(run("update lectures set folder_id = $1 where id = $2", foreign, id)),
    ).toBe(refused);
    expect(await findViolation(lecture(mine, randomUUID()))).toBe(refused);
  });

  test("a folder that holds something does not vanish under it", async () => {
    const mine = await user();
    const parent = await folder(mine);
    const id = await lecture(mine, parent);
    const remove = () => run("delete from folders where id = $1", parent);
    expect(await findViolation(remove())).toBe("lectures_folder_same_user_fk");
    await run("update lectures set folder_id = null where id = $1", id);
    await remove();
    expect(await run("select folder_id from lectures where id = $1", id)).toEqual([[null]]);
  });

  test("one address, one account, in lower case", async () => {
    const insert = (email: string) =>
      run("insert into users (email, password_hash) values ($1, 'x')", email);
    await insert("one@example.org");
    expect(await findViolation(insert("one@example.org"))).toBe("users_email_key");
    for (const email of ["Two@example.org", " two@example.org"]) {
      expect(await findViolation(insert(email))).toBe("users_email_lower_case");
    }
  });

  test("checks of names, entries and recorded time", async () => {
    const mine = await user();
    const id = await lecture(mine);
    const refusals: [() => Promise<unknown>, string][] = [
      [() => folder(mine, null, ""), "folders_name_trimmed"],
      [() => folder(mine, null, " a"), "folders_name_trimmed"],
      [() => lecture(mine, null, "  "), "lectures_title_not_blank"],
      [
        () => run("update lectures set used_time = -1 where id = $1", id),
        "lectures_used_time_not_negative",
      ],
      [() => entry(id, "-1"), "transcript_entries_order"],
      [() => entry(id, "0", "-1"), "transcript_entries_order"],
      [() => entry(id, "0", "2", "1"), "transcript_entries_order"],
      [() => time(mine, id, "2026-11-02"), "usage_ledger_month_first_day"],
      [() => time(mine, id, "2026-11-01", "-1"), "usage_ledger_not_negative"],
      [() => run("update plans set hours_per_month = 0"), "plans_hours_positive"],
      [() => run("update plans set reader_languages_max = 0"), "plans_readers_positive"],
      [() => run("update plans set monthly_price_cents = -1"), "plans_prices_not_negative"],
    ];
    for (const [attempt, constraint] of refusals) {
      expect(await findViolation(attempt())).toBe(constraint);
    }
    await entry(id, "0");
    expect(await findViolation(entry(id, "0"))).toBe("transcript_entries_position_idx");
    const takeId = () => run("update transcript_entries set id = $1 where lecture_id = $1", id);
    await takeId();
    await entry(id, "1");
    expect(await findViolation(takeId())).toBe("transcript_entries_lecture_id_id_pk");
    await expect(
      run("update lectures set target_language = 'tlh' where id = $1", id),
    ).rejects.toMatchObject({ code: "22P02" });
  });

  test("a deleted lecture leaves its recorded time in the ledger", async () => {
    const mine = await user();
    const id = await lecture(mine);
    const recordingId = await time(mine, id);
    await run("delete from lectures where id = $1", id);
    expect(
      await run(
        "select lecture_id, recorded_ms from usage_ledger where recording_id = $1",
        recordingId,
      ),
    ).toEqual([[null, "1"]]);
  });

  test("every plan has its row", async () => {
    const columns =
      "tier, name, hours_per_month, monthly_price_cents, readers_max, reader_languages_max";
    expect(await run(`select ${columns} from plans order by hours_per_month`)).toEqual([
      ["free", "Free", "1", "0", "30", "1"],
      ["pro", "Pro", "20", "1399", "200", "3"],
      ["premium", "Premium", "100", "3499", "1000", "10"],
    ]);
    await run(
      "insert into subscriptions (user_id, tier, status) values ($1, 'pro', 'active')",
      await user(),
    );
    expect(await findViolation(run("delete from plans where tier = 'pro'"))).toBe(
      "subscriptions_tier_plans_tier_fk",
    );
  });
});
