/** Pages on which a visit may begin, with their files in `src/client/routes`. */
export const pages = {
  "/": "home",
  "/auth": "auth",
  "/record": "record",
  "/recordings": "home",
  "/trash": "trash",
  "/glossary": "glossary",
  "/print": "print",
  "/profile": "profile",
} as const;

/** The page of readers, which has a document of its own; its path as `public/start.js` looks it up. */
export const readerPage = { path: "/live/*", name: "live", document: "live.html" } as const;

/** /record with a stored lecture in its address; its path as `public/start.js` looks it up. */
export const lecturePage = { path: "/record?lecture", name: "lecture" } as const;

/** Pages that are opened by a link in an e-mail. */
export const linkPages = ["reset-password", "email-confirmation"] as const;

export type Page =
  | (typeof pages)[keyof typeof pages]
  | (typeof linkPages)[number]
  | typeof lecturePage.name
  | typeof readerPage.name;

/** The module with the router, which a visit that begins with /auth loads later. */
export const applicationModule = "src/client/application.tsx";

/**
 * Paths of the modules that a page is made of, relative to the project's folder. The first one paints it; the
 * others, such as the screen of /record or the rows of a reader, are fetched at the same time and not waited for.
 */
export const getModulePaths = (page: Page): [string, ...string[]] => [
  page === "auth"
    ? "src/client/auth-start.tsx"
    : `src/client/routes/${page === "lecture" ? "record" : page}.tsx`,
  ...(secondModules[page] ?? []),
];

const provider = "src/client/routes/library-provider.tsx";

const recordContent = "src/client/routes/record-content.tsx";

const secondModules: Partial<Record<Page, readonly string[]>> = {
  home: [provider, "src/client/features/library/home/lecture-library.tsx"],
  glossary: [provider, "src/client/features/glossary/glossary-view.tsx"],
  print: [provider, "src/client/features/export/print/print-view.tsx"],
  profile: ["src/client/state/queries.tsx", "src/client/features/account/profile-view.tsx"],
  record: [recordContent],
  lecture: [
    recordContent,
    "src/client/features/recording/stored-lecture.tsx",
    "src/client/reading/transcript-rows.tsx",
  ],
  trash: [provider, "src/client/features/trash/trash-view.tsx"],
  live: ["src/client/features/live/live-lecture.tsx", "src/client/reading/transcript-rows.tsx"],
};

/** Modules that are fetched after the first paint: what several of them share is one file for each group. */
export const laterModules = {
  "reading-later": ["src/client/reading/announcer.tsx", "src/client/reading/page-tools.tsx"],
  "record-later": [
    "src/client/routes/record-menu.tsx",
    "src/client/routes/record-share.tsx",
    "src/client/routes/record-sidebar.tsx",
    "src/client/features/recording/allowance-left.tsx",
    "src/client/features/recording/engine-notice.tsx",
    "src/client/features/recording/foot-tools.tsx",
    "src/client/features/recording/head-message.tsx",
    "src/client/features/recording/head/folder-name.tsx",
    "src/client/features/recording/later-modules.ts",
    "src/client/state/recording-tabs.ts",
  ],
  "recording-later": ["src/client/recognition/live-path.ts"],
} as const;

const library = "i18n/library";
const account = ["i18n/forms", "features/account/messages"];
const link = [...account, "features/account/link-messages"];
const record = ["reading/messages", "features/recording/messages"];

/**
 * Folders in `src/client` with the messages of a page's first screen, in addition to the messages of every
 * page: those of the bundles that the router names, and of the bundles that these are based on.
 */
const messageFolders: Record<string, readonly string[]> = {
  ask: [library],
  auth: ["features/auth/messages"],
  connect: ["i18n/forms", "features/connect/messages"],
  "email-confirmation": link,
  glossary: [library, "features/glossary/messages"],
  home: [library],
  keep: [library, "features/keep/messages"],
  lecture: [...record, library, "i18n/languages", "reading/dialog-messages"],
  live: ["reading/messages", "features/live/messages"],
  mock: ["features/mock/messages"],
  "not-found": [],
  print: [library, "i18n/print"],
  profile: account,
  record,
  quiz: [library],
  "reset-password": link,
  shared: [library, "features/together/messages"],
  trash: [library, "features/trash/messages"],
};

/**
 * Paths of the message files that a page's first screen needs, relative to the project's folder.
 *
 * @throws for an unknown page.
 */
export function getMessageFiles(page: string, language: "en" | "zh"): string[] {
  const folders = messageFolders[page];
  if (!folders) throw new Error(`build/pages.ts does not name the messages of ${page}`);
  return ["i18n", ...folders].map((folder) => `src/client/${folder}/${language}.json`);
}
