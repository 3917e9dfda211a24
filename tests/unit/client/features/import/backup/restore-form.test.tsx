// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { backupMessages } from "#client/features/import/backup/messages/index.ts";
import RestoreForm from "#client/features/import/backup/restore-form.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { BackupWorker } from "#tests/fixtures/backup-worker.ts";
import { writeZip } from "#tests/fixtures/zip-writer.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { click, settle, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

// happy-dom has streams of another kind under these names.
await vi.hoisted(async () => Object.assign(globalThis, await import("node:stream/web")));

const userId = vi.hoisted(() => "0b5f3f0e-4c4e-4f43-9a51-1d6f0a7a0009");
vi.mock("#client/state/visitor.ts", async (load) => ({
  ...(await load<object>()),
  getUserId: () => userId,
}));

const toId = (number: number) => `0b5f3f0e-4c4e-4f43-9a51-1d6f0a7a000${number}`;
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Two lectures, of which one was shared, and one that the account has. */
function createFile(bytes = 100, missing: readonly string[] = []): File {
  const titles = ["<b>Optics</b>", "Waves", "Here"];
  const lectures = titles.map((title, index) => ({
    id: toId(index),
    title,
    file: `lectures/${index}.json`,
    bytes,
    sound: [],
  }));
  const manifest = {
    format: "dualect-backup",
    version: 1,
    exportedAt: "2026-11-20T08:00:00.000Z",
    folders: [],
    lectures,
    summaryInstructions: "",
    missing,
  };
  const share = { mode: "until_revoked", mayCopy: true };
  const content = { folderId: null, entries: [], marks: [], takes: [], share };
  const files = lectures.map(({ file }) => ({ path: file, content: encode(content) }));
  const zip = writeZip([{ path: "manifest.json", content: encode(manifest) }, ...files]);
  return new File([zip], "backup.zip");
}

/** A worker that says nothing. */
class SilentWorker extends EventTarget {
  readonly terminate = vi.fn();
  readonly postMessage = vi.fn();
}

const onClose = vi.fn();
let restore: (title: number) => unknown;
let calls: string[];

async function showForm(file: File) {
  let restored = 0;
  ({ calls } = fakeServer({
    "lectures.names": () => ({
      userId,
      lectures: [{ id: toId(2), title: "Here", isDeleted: false }],
    }),
    "backups.capacity": () => ({ bytes: 5 * 1024 * 1024, lectures: 100 }),
    "folders.list": () => ({ folders: [], total: 1, uncategorized: 1 }),
    "backups.restoreLecture": () => {
      restored += 1;
      return restore(restored);
    },
    "shares.create": () => ({ id: toId(5), code: "abcdefghijklmnopqrstuv" }),
  }));
  await showLibrary(<RestoreForm file={file} onAnother={() => {}} onClose={onClose} />);
}

beforeEach(async () => {
  await Promise.all([showLanguage("en"), backupMessages.load()]);
  restore = () => true;
  vi.stubGlobal("Worker", BackupWorker);
  return () => vi.unstubAllGlobals();
});

it("says what will be added, adds it, and shares it again only when it is asked to", async () => {
  await showForm(createFile());
  await waitForText("2 lectures will be added");
  await waitForText("1 lecture is already here");
  await click("Import");
  await waitForText("Added: 2 lectures");
  await waitForText("2 lectures were shared when the backup was made.");
  expect(calls).not.toContain("shares.create");
  await click("Share again");
  await settle(() => expect(calls.filter((call) => call === "shares.create")).toHaveLength(2));
});

it("names what was refused, and goes on with the others", async () => {
  restore = (number) => (number === 1 ? new Refusal("validation_failed") : true);
  await showForm(createFile());
  await click("Import");
  await waitForText("Added: 1 lecture,");
  await waitForText("<b>Optics</b>: ");
});

it("stops when the account is full, and says how to go on", async () => {
  restore = (number) => (number === 2 ? new Refusal("account_full") : true);
  await showForm(createFile());
  await click("Import");
  await waitForText("Added: 1 lecture,");
  await waitForText("Import the same file again to go on from here.");
});

it("does not begin with more than the plan has space for", async () => {
  await showForm(createFile(4 * 1024 * 1024));
  await waitForText("The lectures need 8.4 MB of storage, and your plan has 5.2 MB left.");
  const button = [...document.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "Import",
  );
  expect(button?.disabled).toBe(true);
});

it("says what is wrong with a file", async () => {
  await showForm(new File(["no ZIP"], "backup.zip"));
  await waitForText("This ZIP is no backup of Dualect.");
});

it("shows the beginning of what could not be read when the backup was made", async () => {
  await showForm(createFile(100, Array(30_000).fill("Optics")));
  await waitForText("Could not be read when the backup was made: Optics, Optics");
  expect(document.body.textContent?.length).toBeLessThan(5_000);
});

it("gives up a reader that says nothing for 20 s", async () => {
  vi.stubGlobal("Worker", SilentWorker);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await showForm(createFile());
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  await waitForText("Reading the file took too long and was stopped.");
});
