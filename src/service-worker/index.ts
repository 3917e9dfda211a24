import { getStrategy } from "./strategy.ts";

declare const self: ServiceWorkerGlobalScope;

/** Written in by the build. `files`: paths of what the program consists of, `/` for its document. */
declare const SHELL: { version: string; files: readonly string[] };

const prefix = "shell-";
const cacheName = prefix + SHELL.version;
/** The programs of pages that may still be open: theirs and this one's. */
const maxShells = 3;
/** A network that is slower than this is taken for none, where there is something to show. */
const timeoutMs = 4_000;

const program = SHELL;
const files = new Set(program.files);

self.addEventListener("install", (event) => {
  event.waitUntil(installShell().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([
      deleteOldShells(),
      self.registration.navigationPreload.enable(),
      self.clients.claim(),
    ]),
  );
});

self.addEventListener("fetch", (event) => {
  switch (getStrategy(event.request, self.location.origin, files)) {
    case "network":
      return;
    case "page":
      return event.respondWith(answerPage(event));
    case "fixed":
      return event.respondWith(answerFixed(event.request));
    case "file":
      return event.respondWith(answerFile(event.request));
  }
});

/** Takes over what an earlier version has already; the rest is fetched. All of it, or no installation. */
async function installShell(): Promise<void> {
  const shell = await caches.open(cacheName);
  await Promise.all(
    program.files.map(async (path) => {
      const isFixed = path.startsWith("/assets/");
      const known = isFixed ? await caches.match(path) : undefined;
      const answer = known ?? (await fetch(path, { cache: isFixed ? "default" : "no-cache" }));
      if (!answer.ok || (path !== "/" && isPage(answer)))
        throw new Error(`${path}: ${answer.status}`);
      await shell.put(path, answer);
    }),
  );
}

/** Where a file is not there yet, the hosting may answer with the document. */
const isPage = (answer: Response) =>
  answer.headers.get("content-type")?.startsWith("text/html") ?? false;

/** Caches are listed in the order of their making; after a rollback that of this version is not the last. */
async function deleteOldShells(): Promise<void> {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(prefix) && name !== cacheName,
  );
  await Promise.all(others.slice(0, 1 - maxShells).map((name) => caches.delete(name)));
}

/** The newest document, as long as there is a server; otherwise the one of this version. */
async function answerPage(event: FetchEvent): Promise<Response> {
  return answerInTime(fetchPage(event), await caches.match("/", { cacheName }));
}

/** `answer`, unless it fails or comes too late and there is something to answer `instead`. */
async function answerInTime(answer: Promise<Response>, instead?: Response): Promise<Response> {
  if (!instead) return answer;
  const late = new Promise<"late">((resolve) => setTimeout(resolve, timeoutMs, "late"));
  try {
    const first = await Promise.race([answer, late]);
    return first === "late" || first.status >= 500 ? instead : first;
  } catch {
    return instead;
  } finally {
    // What comes too late, or not at all, is nobody's business any more.
    answer.catch(() => {});
  }
}

async function fetchPage(event: FetchEvent): Promise<Response> {
  const preloaded: Response | undefined = await event.preloadResponse;
  return preloaded ?? fetch(event.request);
}

/** Also of an earlier version: a page that stayed open while the site was deployed finds its parts. */
async function answerFixed(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** The document waits for some of these: a network that hangs must not keep it blank. */
async function answerFile(request: Request): Promise<Response> {
  const known = await caches.match(request, { cacheName, ignoreSearch: true, ignoreVary: true });
  return answerInTime(fetch(request), known);
}
