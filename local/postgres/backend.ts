import pg from "pg";

/** One SQL statement with its parameters as text. */
export interface Statement {
  query: string;
  params: (string | null)[];
}

export interface Field {
  name: string;
  dataTypeID: number;
  tableID: number;
  columnID: number;
  dataTypeSize: number;
  dataTypeModifier: number;
}

/** A result in Postgres' text format: each value is text or null, in the order of `fields`. */
export interface SqlResult {
  fields: Field[];
  rows: (string | null)[][];
  /** First word of the command tag, for example `SELECT`; empty for an empty query. */
  command: string;
  rowCount: number | null;
}

/** Runs statements in one transaction, like `SqlBackend.batch`. */
export type ExecuteBatch = (statements: Statement[]) => Promise<Pick<SqlResult, "rows">[]>;

export const isolationLevels = {
  ReadUncommitted: "READ UNCOMMITTED",
  ReadCommitted: "READ COMMITTED",
  RepeatableRead: "REPEATABLE READ",
  Serializable: "SERIALIZABLE",
} as const;

export interface TransactionOptions {
  isolationLevel?: keyof typeof isolationLevels | undefined;
  readOnly?: boolean | undefined;
  deferrable?: boolean | undefined;
}

/** A Postgres database, embedded or remote. It throws database errors (`isDatabaseError`) and connection errors. */
export interface SqlBackend {
  /** Runs one statement in a transaction of its own. */
  run(statement: Statement): Promise<SqlResult>;
  /** Runs all statements in one transaction and rolls back on the first error. */
  batch(statements: Statement[], options?: TransactionOptions): Promise<SqlResult[]>;
  /** Call when no statement is running. */
  close(): Promise<void>;
}

/** True for an error that Postgres itself reported. */
export function isDatabaseError(error: unknown): error is pg.DatabaseError {
  return (
    error instanceof Error &&
    "severity" in error &&
    typeof error.severity === "string" &&
    "code" in error &&
    typeof error.code === "string"
  );
}

async function execute(client: pg.PoolClient, statement: Statement): Promise<SqlResult> {
  // Like Neon, the extended protocol rejects several statements in one query.
  const query: pg.QueryArrayConfig & { queryMode: "extended" } = {
    text: statement.query,
    values: statement.params,
    rowMode: "array",
    queryMode: "extended",
  };
  const result = await client.query<(string | null)[]>(query);
  return {
    fields: result.fields.map((field) => ({
      name: field.name,
      dataTypeID: field.dataTypeID,
      tableID: field.tableID,
      columnID: field.columnID,
      dataTypeSize: field.dataTypeSize,
      dataTypeModifier: field.dataTypeModifier,
    })),
    rows: result.rows,
    command: result.command ?? "",
    rowCount: result.rowCount,
  };
}

function beginStatement({ isolationLevel, readOnly, deferrable }: TransactionOptions): string {
  const modes = ["BEGIN"];
  if (isolationLevel !== undefined) {
    modes.push(`ISOLATION LEVEL ${isolationLevels[isolationLevel]}`);
  }
  if (readOnly !== undefined) modes.push(readOnly ? "READ ONLY" : "READ WRITE");
  if (deferrable !== undefined) modes.push(deferrable ? "DEFERRABLE" : "NOT DEFERRABLE");
  return modes.join(" ");
}

/**
 * A backend on a connection pool of `pg`. Values stay in Postgres' text format.
 *
 * @param afterClose runs when the last connection is closed.
 */
export function createPooledBackend(
  config: pg.PoolConfig,
  afterClose: () => Promise<void> = async () => {},
): SqlBackend {
  const pool = new pg.Pool({
    ...config,
    types: { getTypeParser: () => (text: string) => text },
  });
  // The pool removes an idle connection that fails; the next statement opens a new one.
  pool.on("error", () => {});

  async function withConnection<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    // A connection that fails also rejects the statement. Without a listener, its event ends the process.
    const ignoreError = () => {};
    client.on("error", ignoreError);
    let isBroken = false;
    try {
      return await run(client);
    } catch (error) {
      isBroken = !isDatabaseError(error) || error.severity === "FATAL";
      throw error;
    } finally {
      client.off("error", ignoreError);
      client.release(isBroken);
    }
  }

  return {
    run: (statement) =>
      withConnection(async (client) => {
        const result = await execute(client, statement);
        // After a lone BEGIN the next user of this connection would run in its transaction.
        if (client.getTransactionStatus() !== "I") await client.query("ROLLBACK");
        return result;
      }),
    batch: (statements, options = {}) =>
      withConnection(async (client) => {
        await client.query(beginStatement(options));
        try {
          const results: SqlResult[] = [];
          for (const statement of statements) results.push(await execute(client, statement));
          await client.query("COMMIT");
          return results;
        } catch (error) {
          // If the connection has failed, the server rolls back by itself.
          await client.query("ROLLBACK").catch(() => {});
          throw error;
        }
      }),
    async close() {
      await pool.end();
      await afterClose();
    },
  };
}
