/** Pages that a visit may begin with, and their files in `src/client/routes`. */
export const pages = {
  "/": "home",
  "/auth": "auth",
  "/record": "record",
  "/recordings": "recordings",
  "/trash": "trash",
  "/profile": "profile",
} as const;

/** Pages that a mail leads to. */
export const linkPages = ["reset-password", "email-confirmation"] as const;

export type Page = (typeof pages)[keyof typeof pages] | (typeof linkPages)[number];

/** The module of a page, from the project's folder. */
export const moduleOf = (page: Page): string => `src/client/routes/${page}.tsx`;
