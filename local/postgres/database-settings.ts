import type { ExecuteBatch } from "./backend.ts";

/** How a database is created that has the text which the site needs. */
const creation = "createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8 NAME";

/** The first column of the only row. */
async function readValue(execute: ExecuteBatch, query: string): Promise<string> {
  const [result] = await execute([{ query, params: [] }]);
  return result?.rows[0]?.[0] ?? "";
}

/**
 * Of a database that stores and searches text in every language. Both are fixed when it is created.
 *
 * @throws Error that says what to do
 */
export async function checkText(execute: ExecuteBatch): Promise<void> {
  const encoding = await readValue(execute, "select getdatabaseencoding()");
  if (encoding !== "UTF8")
    throw new Error(
      `The encoding of the database is ${encoding}, which cannot store every language. It must be UTF8: ` +
        `create another one ("${creation}"), and restore the data into that.`,
    );
  // What the search relies on. The locale C knows English letters alone, and Turkish has another small I.
  const folds = await readValue(
    execute,
    `select (lower('ÉЖI') = 'éжi' and to_tsvector('simple', 'ÉЖI') = '''éжi'':1'::tsvector)::text
      from (select 1) one`,
  );
  if (folds.startsWith("t")) return;
  const locale = await readValue(
    execute,
    "select datctype from pg_database where datname = current_database()",
  );
  throw new Error(
    `The locale of the database is ${locale}: a search would miss words that begin with a capital letter. It must know ` +
      `the letters of all languages: create another one ("${creation}"), and restore the data into that.`,
  );
}

/** The time limits of statements in new sessions of this role in this database, as they are set. */
const chosenLimits = `select one from pg_db_role_setting setting
  join pg_database on pg_database.oid = setting.setdatabase
  join pg_roles on pg_roles.oid = setting.setrole
  cross join unnest(setting.setconfig) as one
  where datname = current_database() and rolname = current_user and one like 'statement\\_timeout=%'`;

/**
 * Statements of this role in this database end after 5 s, unless a transaction asks for more. It is a setting of the role,
 * which a dump does not have, nor has a role that has not migrated the database. A limit that an operator has chosen stays.
 * Sessions that begin from now on have it.
 */
export async function limitStatements(execute: ExecuteBatch): Promise<void> {
  const query = `do $$ begin
    perform pg_advisory_xact_lock(hashtext('dualect: settings of the role'));
    if not exists (${chosenLimits} and one !~ '=0[a-z]*$') then
      execute format('alter role %I in database %I set statement_timeout = %L', current_user, current_database(), '5s');
    end if;
  end $$`;
  await execute([{ query, params: [] }]);
}

/**
 * Of a session that has just begun: no setting of its connection may undo the limit.
 *
 * @throws Error that says what to do
 */
export async function checkTimeLimit(execute: ExecuteBatch): Promise<void> {
  const limit = await readValue(execute, "select current_setting('statement_timeout')");
  if (limit !== "0") return;
  const role = await readValue(execute, "select current_user");
  throw new Error(
    `Statements of the role "${role}" have no time limit, so one that does not end could hold up the site. Run ` +
      '"npm run db:migrate", and remove "statement_timeout" from the connection string and from PGOPTIONS.',
  );
}
