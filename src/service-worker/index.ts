import { getStrategy } from "./request-strategy.ts";

declare const self: ServiceWorkerGlobalScope;

/**
 * Inserted by the build. `files`: the paths of the program's files, `/` for its document. `filesOnUse`: those of large
 * files that few need.
 */
declare const SHELL: {
  version: string;
  files: readonly string[];
  filesOnUse: readonly string[];
};

/** Read once: the build replaces each mention of `SHELL` by the whole list. */
const { version, files, filesOnUse } = SHELL;
const storedPaths = new Set(files);
const pathsOnUse = new Set(filesOnUse);

const prefix = "shell-";
const cacheName = prefix + version;
/** This version's shell and those of earlier pages that may still be open. */
const maxShells = 3;
/** A slower network counts as none, where a stored response exists. */
const timeoutMs = 4_000;

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
  switch (getStrategy(event.request, self.location.origin, storedPaths)) {
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

/**
 * Copies unchanged assets from earlier versions and fetches the rest. Fails unless all files are stored. The document
 * comes last: if it is of this version, no newer one was deployed while the other files were fetched.
 */
async function installShell(): Promise<void> {
  const shell = await caches.open(cacheName);
  await Promise.all(
    files.map(async (path) => {
      if (path === "/") return;
      const isFixed = path.startsWith("/assets/");
      const cached = isFixed ? await caches.match(path) : undefined;
      const answer = cached ?? (await fetch(path, { cache: isFixed ? "default" : "no-cache" }));
      if (!answer.ok || isPage(answer)) throw new Error(`${path}: ${answer.status}`);
      await shell.put(path, answer);
    }),
  );
  const page = await fetch("/", { cache: "no-cache" });
  if (!page.ok) throw new Error(`/: ${page.status}`);
  if (!(await page.clone().text()).includes(`content="${version}"`))
    throw new Error(`/: not of version ${version}`);
  await shell.put("/", page);
  // Whoever uses them can fetch them later.
  await installUsedFiles(shell).catch(() => {});
}

/** Stores this version of the files whose folders have files that were stored on use. An unchanged one is moved. */
async function installUsedFiles(shell: Cache): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
  const shells = await Promise.all(names.map((name) => caches.open(name)));
  const paths = (await Promise.all(shells.map((some) => some.keys())))
    .flat()
    .map(({ url }) => new URL(url).pathname);
  const used = new Set(paths.map(getFolder));
  for (const path of filesOnUse) {
    if (!used.has(getFolder(path))) continue;
    const cached = await caches.match(path);
    const answer = cached ?? (await fetch(path));
    if (!answer.ok || isPage(answer)) continue;
    if (cached) await Promise.all(shells.map((some) => some.delete(path)));
    await shell.put(path, answer);
  }
}

const getFolder = (path: string) => path.slice(0, path.lastIndexOf("/"));

/** For a file that does not exist yet, the hosting may respond with the document. */
const isPage = (answer: Response) =>
  answer.headers.get("content-type")?.startsWith("text/html") ?? false;

/** `caches.keys()` is in creation order; after a rollback this version's cache is not the last. */
async function deleteOldShells(): Promise<void> {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(prefix) && name !== cacheName,
  );
  await Promise.all(others.slice(0, 1 - maxShells).map((name) => caches.delete(name)));
}

/** The newest document while the server can be reached, otherwise this version's. */
async function answerPage(event: FetchEvent): Promise<Response> {
  return answerInTime(fetchPage(event), await caches.match("/", { cacheName }));
}

/** Without a network the preload fails in some browsers, and gives an error in others (Firefox) or nothing. */
async function fetchPage({ preloadResponse, request }: FetchEvent): Promise<Response> {
  const preloaded: Response | undefined = await preloadResponse.catch(() => undefined);
  return preloaded && !isError(preloaded) ? preloaded : fetch(request);
}

/** The browser shows its own error page for it. A redirect, which has the status 0 too, is none. */
const isError = ({ type }: Response) => type === "error";

/** `response`, or `fallback` if there is one and `response` fails or is late. */
async function answerInTime(response: Promise<Response>, fallback?: Response): Promise<Response> {
  if (!fallback) return response;
  const late = new Promise<"late">((resolve) => setTimeout(resolve, timeoutMs, "late"));
  try {
    const first = await Promise.race([response, late]);
    const isFine = first !== "late" && first.status < 500 && !isError(first);
    return isFine ? first : fallback;
  } catch {
    return fallback;
  } finally {
    // A late failure must not become an unhandled rejection.
    response.catch(() => {});
  }
}

/** Also from earlier versions: a page that stayed open during a deployment still finds its chunks. */
async function answerFixed(request: Request): Promise<Response> {
  const cached = await caches.match(request, { ignoreVary: true });
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok && !isPage(answer) && pathsOnUse.has(new URL(request.url).pathname)) {
    const shell = await caches.open(cacheName);
    // Without space for it, it is fetched again.
    await shell.put(request, answer.clone()).catch(() => {});
  }
  return answer;
}

/** The document waits for some of these files: a hanging network must not keep it blank. */
async function answerFile(request: Request): Promise<Response> {
  const cached = await caches.match(request, { cacheName, ignoreSearch: true, ignoreVary: true });
  return answerInTime(fetch(request), cached);
}
