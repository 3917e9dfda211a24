/** Pages that a visit may begin with, and their files in `src/client/routes`. */
export const pages = {
  "/": "home",
  "/auth": "auth",
  "/record": "record",
  "/recordings": "recordings",
  "/trash": "trash",
  "/print": "print",
  "/profile": "profile",
} as const;

/** Pages that a mail leads to. */
export const linkPages = ["reset-password", "email-confirmation"] as const;

export type Page = (typeof pages)[keyof typeof pages] | (typeof linkPages)[number];

/** The module of a page, from the project's folder. */
export const getModulePath = (page: Page): string => `src/client/routes/${page}.tsx`;

const library = "i18n/library";

/**
 * Folders in `src/client` with the messages that the first screen of a page has, beside those of every page:
 * of the bundles that the router names, and of those that they are based on.
 */
const messageFolders: Record<string, readonly string[]> = {
  auth: ["features/auth/messages"],
  "email-confirmation": ["features/account/messages"],
  home: [library],
  mock: ["features/mock/messages"],
  "not-found": [],
  print: [library, "i18n/files"],
  profile: ["features/account/messages", "features/subscriptions/messages"],
  record: ["features/recording/messages"],
  recordings: [library],
  "reset-password": ["features/account/messages"],
  trash: [library, "features/trash/messages"],
};

/**
 * The message files that a page needs at once, from the project's folder.
 *
 * @throws when there is no such page.
 */
export function getMessageFiles(page: string, language: "en" | "zh"): string[] {
  const folders = messageFolders[page];
  if (!folders) throw new Error(`build/pages.ts does not name the messages of ${page}`);
  return ["i18n", ...folders].map((folder) => `src/client/${folder}/${language}.json`);
}
