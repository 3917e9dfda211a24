import { env, SELF } from "cloudflare:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { lectures, personalTokens } from "#drizzle/schema.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { openProgram, openSignedIn, origin } from "#tests/worker/support/browser.ts";
import { addEverything, createMark, watchRows } from "#tests/worker/support/owned-rows.ts";
import { toProgramsKey } from "#worker/http/middleware/early-calls.ts";
import { getServices } from "#worker/services.ts";
import { createOAuthProgram } from "./oauth-client.ts";

const { db } = getServices(env);

/** An assistant with the program's token: the official client, over the worker's own `fetch`. */
async function openAssistant(authorization: string, mode: "auto" | "legacy" = "auto") {
  const client = new Client(
    { name: "assistant", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    requestInit: { headers: { authorization } },
    fetch: (url, init) => SELF.fetch(String(url), init as RequestInit),
  });
  await client.connect(transport);
  /** Calls a tool; its answer, or the text of its error. */
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content;
    const text = first?.type === "text" ? first.text : "";
    return isError ? { error: text } : JSON.parse(text);
  };
  return { client, call };
}

const rows = Array.from({ length: 120 }, (_, n) =>
  createEntry(n === 70 ? "Refraction bends light" : `Sentence ${n}`, n * 10_000, {
    ordinal: n,
    translated: `译文 ${n}`,
    translatedInto: "zh-cn",
    speaker: "1",
    endMs: n * 10_000 + 9_000,
  }),
);

let account: Awaited<ReturnType<typeof openSignedIn>>;
let program: Awaited<ReturnType<typeof openProgram>>;
let assistant: Awaited<ReturnType<typeof openAssistant>>;
const lectureId = crypto.randomUUID();
const folderId = crypto.randomUUID();

beforeAll(async () => {
  account = await openSignedIn();
  const { trpc } = account;
  await trpc.folders.create.mutate({ id: folderId, name: "Physics", parentFolderId: null });
  await trpc.lectures.create.mutate({
    id: lectureId,
    title: "Optics",
    targetLanguage: "zh-cn",
    folderId,
  });
  await trpc.lectures.saveRows.mutate({ lectureId, entries: rows, deleted: [] });
  await trpc.lectures.change.mutate({ id: lectureId, summary: "Light and lenses" });
  const item = {
    id: crypto.randomUUID(),
    task: "Read chapter 3",
    who: "Everyone",
    due: "by Friday",
  };
  const state = { dueOn: "2026-05-08", rows: [], isDone: false, byHand: false };
  await trpc.lectures.change.mutate({ id: lectureId, actionItems: [{ ...item, ...state }] });
  program = await openProgram(account.user.id, "read");
  assistant = await openAssistant(program.authorization);
});

describe("an assistant with the official client", () => {
  it("lists read-only tools", async () => {
    const { tools } = await assistant.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "get_lecture",
      "get_rows",
      "list_folders",
      "search",
    ]);
    for (const { annotations, inputSchema, description } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(inputSchema.type).toBe("object");
      expect(description).toBeTruthy();
    }
  });

  it("finds a sentence, reads around it, and gets times and links to cite", async () => {
    const found = await assistant.call("search", { query: "refraction" });
    const url = `${origin}/record?lecture=${lectureId}&row=70`;
    expect(found).toMatchObject({
      results: [
        {
          lecture_id: lectureId,
          title: "Optics",
          found_in: "row",
          position: 70,
          time: "[11:40]",
          original: "Refraction bends light",
          translated: "译文 70",
          url,
        },
      ],
      next_cursor: null,
    });
    const around = await assistant.call("get_rows", { lecture_id: lectureId, from: 69, limit: 2 });
    expect(around.next_from).toBe(71);
    expect(around.rows).toMatchObject([
      { position: 69, original: "Sentence 69" },
      { position: 70, time: "[11:40]", start_ms: 700_000, end_ms: 709_000, speaker: "1", url },
    ]);
  });

  it("reads every row once, page by page", async () => {
    const texts: string[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const page: { rows: { original: string }[]; next_from: number | null } = await assistant.call(
        "get_rows",
        { lecture_id: lectureId, from },
      );
      texts.push(...page.rows.map(({ original }) => original));
      from = page.next_from;
    }
    expect(texts).toEqual(rows.map(({ original }) => original));
  });

  it("reads rows by their positions, which have holes and are not in the order of the times", async () => {
    const owner = await openSignedIn();
    const { authorization } = await openProgram(owner.user.id, "read");
    const { call } = await openAssistant(authorization);
    const lecture_id = crypto.randomUUID();
    const lecture = { id: lecture_id, title: "Optics", targetLanguage: "fr" } as const;
    await owner.trpc.lectures.create.mutate(lecture);
    const [gone, ...kept] = [1, 0, 2, 3, 4].map((ordinal) =>
      createEntry(`At ${ordinal}`, ordinal * 1_000, { ordinal }),
    );
    if (!gone) throw new Error("no row");
    const lectureId = lecture_id;
    await owner.trpc.lectures.saveRows.mutate({ lectureId, entries: [gone, ...kept], deleted: [] });
    const deleted = [{ id: gone.id, seq: 1 }];
    const late = createEntry("Late", 2_500, { ordinal: 5 });
    await owner.trpc.lectures.saveRows.mutate({ lectureId, entries: [late], deleted });
    const read = async (from: number, limit: number) => {
      const page = await call("get_rows", { lecture_id, from, limit });
      const cited = page.rows.map(({ url }: { url: string }) =>
        new URL(url).searchParams.get("row"),
      );
      const positions = page.rows.map(({ position }: { position: number }) => position);
      expect(cited).toEqual(positions.map(String));
      return [positions, page.next_from];
    };
    expect(await read(0, 120)).toEqual([[0, 2, 5, 3, 4], null]);
    expect(await read(0, 2)).toEqual([[0, 2], 3]);
    expect(await read(1, 4)).toEqual([[2, 5, 3, 4], null]);
    expect(await read(3, 2)).toEqual([[3, 4], 5]);
    expect(await read(5, 2)).toEqual([[5], null]);
  });

  it("reads an old lecture that has only a text, in the rows that the page shows", async () => {
    const owner = await openSignedIn();
    const { authorization } = await openProgram(owner.user.id, "read");
    const { call } = await openAssistant(authorization);
    const lecture_id = crypto.randomUUID();
    const lecture = { id: lecture_id, title: "Old notes", targetLanguage: "zh-cn" } as const;
    await owner.trpc.lectures.create.mutate(lecture);
    const texts = {
      originalText: "Light bends. It slows. Why?",
      translatedText: "光弯曲。光变慢。",
    };
    await db.update(lectures).set(texts).where(eq(lectures.id, lecture_id));
    const page = await call("get_rows", { lecture_id, limit: 2 });
    const url = `${origin}/record?lecture=${lecture_id}&row=1`;
    expect(page).toMatchObject({
      rows: [
        { position: 0, original: "Light bends.", spoken_in: "en", translated: "光弯曲。" },
        {
          position: 1,
          original: "It slows.",
          translated: "光变慢。",
          translated_into: "zh-cn",
          url,
        },
      ],
      next_from: 2,
    });
    const rest = await call("get_rows", { lecture_id, from: page.next_from });
    expect(rest).toMatchObject({
      rows: [{ position: 2, original: "Why?", translated: "", translated_into: null }],
      next_from: null,
    });
    expect(await call("get_rows", { lecture_id, from: 3 })).toMatchObject({ rows: [] });
  });

  it("reads about a lecture, and what is in a folder", async () => {
    const lecture = await assistant.call("get_lecture", { lecture_id: lectureId });
    expect(lecture).toMatchObject({
      lecture_id: lectureId,
      title: "Optics",
      folder_id: folderId,
      summary: "Light and lenses",
      action_items: [
        {
          task: "Read chapter 3",
          who: "Everyone",
          due: "by Friday",
          due_on: "2026-05-08",
          is_done: false,
        },
      ],
      url: `${origin}/record?lecture=${lectureId}`,
    });
    expect(JSON.stringify(lecture)).not.toContain("Sentence 1");
    const { folders, lectures } = await assistant.call("list_folders", { folder_id: folderId });
    expect(folders).toEqual([
      { folder_id: folderId, name: "Physics", parent_folder_id: null, lectures: 1 },
    ]);
    expect(lectures).toMatchObject([{ lecture_id: lectureId }]);
    const others = await assistant.call("list_folders", { folder_id: "none" });
    expect(others.lectures).toEqual([]);
  });

  it.each([
    ["search", {}],
    ["search", { query: "x".repeat(201) }],
    ["search", { query: "a\0b" }],
    ["search", { query: "light", cursor: "forged" }],
    ["get_lecture", { lecture_id: "1" }],
    ["get_lecture", { lecture_id: crypto.randomUUID() }],
    ["get_rows", { lecture_id: lectureId, from: -1 }],
    ["get_rows", { lecture_id: lectureId, limit: 1e9 }],
    ["list_folders", { folder_id: 7 }],
  ])("is told what is wrong with %s %j", async (name, args) => {
    const { error } = await assistant.call(name, args);
    expect(error).toMatch(/not_found|validation|Invalid/i);
  });

  it("fails once its token is revoked", async () => {
    const { authorization, token } = await openProgram(account.user.id);
    const { call } = await openAssistant(authorization);
    await call("list_folders");
    await account.trpc.tokens.revoke.mutate({ id: token.id });
    await expect(call("list_folders")).rejects.toThrow();
  });
});

describe("a client of the official SDK that was given a personal token", () => {
  const endToken = {
    expired: async (id: string) => {
      const expiresAt = new Date(Date.now() - 1);
      await db.update(personalTokens).set({ expiresAt }).where(eq(personalTokens.id, id));
    },
    revoked: async (id: string) => {
      await account.trpc.tokens.revoke.mutate({ id });
    },
  };

  it.each(["expired", "revoked"] as const)(
    "finds, when it is %s, how to ask the person for another one",
    async (end) => {
      const { token, secret } = await openProgram(account.user.id);
      const assistant = createOAuthProgram("Assistant");
      assistant.kept.tokens = { access_token: secret, token_type: "Bearer" };
      // A personal token is not for pages of other sites.
      const client = await assistant.connect({ isPage: false });
      await client.callTool({ name: "list_folders", arguments: {} });
      await endToken[end](token.id);
      assistant.answers.length = 0;
      await expect(client.callTool({ name: "list_folders", arguments: {} })).rejects.toThrow();
      expect(assistant.answers[0]).toMatchObject({
        path: "/mcp",
        status: 401,
        challenge: expect.stringContaining('error="invalid_token"'),
      });
      expect(assistant.kept.page?.pathname).toBe("/api/oauth/authorize");
    },
  );
});

describe("another user's assistant", () => {
  it("gets nothing by the owner's ids, and changes nothing", async () => {
    const owner = await openSignedIn();
    const mark = createMark();
    const ids = await addEverything(db, owner.user.id, mark);
    const readOwners = await watchRows(db, owner.user.id);
    const owned = await readOwners();
    const stranger = await openSignedIn();
    const { authorization } = await openProgram(stranger.user.id);
    const { call } = await openAssistant(authorization);
    const lecture_id = ids.lectureId;
    expect(await call("get_lecture", { lecture_id })).toEqual({ error: "not_found" });
    expect(await call("get_rows", { lecture_id })).toEqual({ error: "not_found" });
    const searches = [{ query: "mark" }, { query: "mark", lecture_id }];
    for (const args of searches) expect((await call("search", args)).results).toEqual([]);
    for (const args of [{}, { folder_id: ids.folderId }, { folder_id: "none" }])
      expect(await call("list_folders", args)).toMatchObject({ folders: [], lectures: [] });
    expect(await readOwners()).toEqual(owned);
  });
});

describe("/mcp", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    },
  };
  const post = (headers: Record<string, string>, body: unknown = initialize) =>
    SELF.fetch(`${origin}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it("answers clients of the earlier protocol", async () => {
    const response = await post({ authorization: program.authorization });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"protocolVersion":"2025-06-18"');
    const { call } = await openAssistant(program.authorization, "legacy");
    expect(await call("get_lecture", { lecture_id: lectureId })).toMatchObject({ title: "Optics" });
  });

  it("refuses whoever has no token, also with a session's cookie", async () => {
    const cookie = account.browser.cookie ?? "";
    for (const headers of [{}, { authorization: "Bearer dualect_forged" }, { origin, cookie }]) {
      const response = await post(headers);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
    }
  });

  it("refuses pages of other sites", async () => {
    const { authorization } = program;
    for (const other of ["https://evil.test", "null", "http://dualect.test"])
      expect((await post({ authorization, origin: other })).status).toBe(403);
    expect((await post({ authorization, origin })).status).toBe(200);
  });

  it("keeps nothing open: no stream, no session, no subscription", async () => {
    const { authorization } = program;
    for (const method of ["GET", "DELETE"]) {
      const response = await SELF.fetch(`${origin}/mcp`, {
        method,
        headers: { authorization, accept: "text/event-stream" },
      });
      expect([method, response.status]).toEqual([method, 405]);
    }
    expect((await post({ authorization })).headers.get("mcp-session-id")).toBeNull();
  });

  describe("a batch", () => {
    const getRows = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "get_rows", arguments: { lecture_id: lectureId } },
    });
    const refusal = (message: string) => ({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: expect.stringContaining(message) },
    });

    it("of a version that has them is answered, up to ten messages", async () => {
      const { authorization } = await openProgram(account.user.id);
      const batch = Array.from({ length: 10 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));
      const response = await post({ authorization }, batch);
      expect(response.status).toBe(200);
      expect((await response.text()).match(/"result"/g)).toHaveLength(10);
      const tooLong = await post({ authorization }, [...batch, batch[0]]);
      expect(tooLong.status).toBe(400);
      expect(await tooLong.json()).toEqual(refusal("at most 10"));
    });

    it("of a later version is refused", async () => {
      const { authorization } = await openProgram(account.user.id);
      const headers = { authorization, "mcp-protocol-version": "2025-06-18" };
      const response = await post(headers, [getRows(1)]);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual(refusal("has no batches"));
    });

    it("whose answers are too long together is refused, and one of them is not", async () => {
      const owner = await openSignedIn();
      const { authorization } = await openProgram(owner.user.id);
      const id = crypto.randomUUID();
      await owner.trpc.lectures.create.mutate({ id, title: "Long", targetLanguage: "zh-cn" });
      const original = "光".repeat(15_000);
      const entries = rows.slice(0, 3).map((row) => ({ ...row, original }));
      await owner.trpc.lectures.saveRows.mutate({ lectureId: id, entries, deleted: [] });
      const params = { name: "get_rows", arguments: { lecture_id: id } };
      const read = (id: number) => ({ ...getRows(id), params });
      expect((await post({ authorization }, read(1))).status).toBe(200);
      const response = await post(
        { authorization },
        Array.from({ length: 10 }, (_, id) => read(id)),
      );
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual(refusal("too long"));
    });

    it("counts each of its messages for the pace of the account's programs", async () => {
      const { user } = await openSignedIn();
      const { authorization } = await openProgram(user.id);
      const addCalls = vi.spyOn(getServices(env).accountCalls, "addCalls");
      try {
        await post(
          { authorization },
          [1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, method: "ping" })),
        );
        expect(addCalls).toHaveBeenCalledWith(toProgramsKey(user.id), 2);
      } finally {
        addCalls.mockRestore();
      }
    });
  });

  it.each([
    ["no JSON", "{"],
    ["no request", []],
    ["a huge body", { jsonrpc: "2.0", id: 1, method: "ping", params: { x: "x".repeat(70_000) } }],
    ["an unknown tool", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "drop" } }],
  ])("is not harmed by %s", async (_, body) => {
    const response = await post({ authorization: program.authorization }, body);
    expect(response.status).toBeLessThan(500);
  });
});
