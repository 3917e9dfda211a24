// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import ImportDialog from "#client/features/import/import-dialog.tsx";
import { fetchRemote } from "#client/features/import/remote/fetch-remote.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { type RemoteFile, RemoteFileError } from "#shared/remote-file.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { click, settle, type, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

const given: File[] = [];
vi.mock("#client/features/import/remote/fetch-remote.ts", () => ({ fetchRemote: vi.fn() }));
vi.mock("#client/features/import/media/media-form.tsx", () => ({
  MediaForm({ files }: { files: File[] }) {
    given.splice(0, given.length, ...files);
    return <p>Files: {files.map(({ name }) => name).join()}</p>;
  },
}));

const fetched = vi.mocked(fetchRemote);
const facts = { charset: "", name: "", size: null, from: 0, validator: null } as const;

/** What there is, by address. */
function serve(site: Record<string, [kind: RemoteFile["kind"], type: string, content: string]>) {
  fetched.mockImplementation(async (address) => {
    const [kind, type, content] = site[address] ?? [];
    if (!kind || type === undefined) throw new RemoteFileError("missing");
    return { file: { ...facts, kind, type, address }, content: new Blob([content ?? ""]) };
  });
}

beforeEach(async () => {
  given.length = 0;
  fetched.mockReset();
  await Promise.all([showLanguage("en"), fileMessages.load()]);
  fakeServer({});
  await showLibrary(<ImportDialog folderId={null} onClose={vi.fn()} onImported={vi.fn()} />);
});

async function enter(address: string): Promise<void> {
  await type(document.querySelector("input[name=address]"), address);
  await click("Fetch");
}

const feed = `<rss><channel><title>Optics</title>
  <item><title>Week 1: light</title><pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate>
    <enclosure url="https://cdn.example.org/1.mp3" type="audio/mpeg" length="12000000"/></item>
  <item><title>Week 2</title><pubDate>Mon, 09 Nov 2026 08:00:00 GMT</pubDate>
    <enclosure url="https://cdn.example.org/2.mp3" type="audio/mpeg"/></item></channel></rss>`;

it("takes a recording as a file that was chosen", async () => {
  serve({ "https://example.org/a/talk.mp3": ["media", "audio/mpeg", "ID3"] });
  await enter(" example.org/a/talk.mp3 ");
  await waitForText("Files: talk.mp3");
  expect(given[0]?.type).toBe("audio/mpeg");
});

it("lets the person choose an episode, and goes back to the list when that one is not there", async () => {
  serve({
    "https://example.org/feed": ["text", "application/rss+xml", feed],
    "https://cdn.example.org/1.mp3": ["media", "audio/mpeg", "ID3"],
  });
  await enter("https://example.org/feed");
  await waitForText("Choose an episode");
  await waitForText("Nov 2, 2026 · 12 MB");
  await click("Week 2Nov 9, 2026");
  await waitForText("There is nothing at this address");
  await click("Back to the list");
  await click("Week 1: lightNov 2, 2026 · 12 MB");
  await waitForText("Files: Week 1: light.mp3");
  expect(new Date(given[0]?.lastModified ?? 0).toISOString()).toBe("2026-11-02T08:00:00.000Z");
});

it("goes through a page to its one recording, and names it as the page does", async () => {
  const page = `<!doctype html><title>Lecture 4</title><audio src="/x.mp3"></audio>`;
  serve({
    "https://example.org/4": ["text", "text/html", page],
    "https://example.org/x.mp3": ["media", "audio/mpeg", "ID3"],
  });
  await enter("https://example.org/4");
  await waitForText("Files: Lecture 4.mp3");
});

it.each([
  ["text/html", "<!doctype html><p>A film", "This page does not offer its recording as a file."],
  ["text/xml", "<rss><channel/></rss>", "none of its episodes has a file"],
  ["text/xml", "<opml/>", "There is no sound, video, podcast feed or page"],
])("says what is wrong with %s: %s", async (type, content, message) => {
  serve({ "https://example.org/x": ["text", type, content] });
  await enter("https://example.org/x");
  await waitForText(message);
  await click("Another link or file");
  await waitForText("Or paste a link");
  const field = document.querySelector<HTMLInputElement>("input[name=address]");
  expect(field?.value).toBe("https://example.org/x");
});

it.each([
  [new RemoteFileError("notReached"), "The site could not be reached."],
  [new RemoteFileError("address"), "Dualect does not fetch from this address."],
  [new RemoteFileError("stream"), "This page does not offer its recording as a file."],
  [new RemoteFileError("tooLarge"), "larger than 4 GB"],
  [new ApiError("rate_limited", false, { retryAfterSeconds: 60 }), "try again in 1 minute"],
])("says why nothing came: %s", async (failure, message) => {
  fetched.mockRejectedValue(failure);
  await enter("https://example.org/x");
  await waitForText(message);
});

it("fetches nothing for what is no address, and nothing of this site", async () => {
  await enter("not an address");
  await waitForText("This is no address of a file, a feed or a page.");
  await enter(`${location.origin}/record`);
  await waitForText("This link leads to Dualect itself.");
  expect(fetched).not.toHaveBeenCalled();
});

it("shows how much has come, and ends the download when it is cancelled", async () => {
  let aborted = false;
  fetched.mockImplementation((_, { onProgress, signal }) => {
    onProgress(12_000_000, 45_000_000);
    signal.addEventListener("abort", () => {
      aborted = true;
    });
    return new Promise(() => {});
  });
  await enter("https://example.org/x.mp3");
  await waitForText("Fetched: 12 MB of 45 MB");
  await click("Cancel");
  await waitForText("Or paste a link");
  expect(aborted).toBe(true);
});

it("takes a link that is pasted or dropped beside the field", async () => {
  serve({ "https://example.org/a.mp3": ["media", "audio/mpeg", "ID3"] });
  const link = "https://example.org/a.mp3";
  const dataTransfer = { types: ["text/uri-list"], getData: () => `${link}\r\n` };
  const drop = Object.assign(new Event("drop", { bubbles: true }), { dataTransfer });
  await act(async () => document.body.dispatchEvent(drop));
  await waitForText("Files: a.mp3");
  await settle(() => expect(fetched).toHaveBeenCalledOnce());
});

it("takes a pasted link, and leaves other text alone", async () => {
  serve({ "https://example.org/a.mp3": ["media", "audio/mpeg", "ID3"] });
  const paste = (text: string) =>
    act(async () => {
      const clipboardData = { getData: () => text };
      document.body.dispatchEvent(
        Object.assign(new Event("paste", { bubbles: true }), { clipboardData }),
      );
    });
  await paste("some words");
  expect(document.body.textContent).toContain("Or paste a link");
  await paste("https://example.org/a.mp3");
  await waitForText("Files: a.mp3");
});
