import {
  createRootRoute,
  createRoute,
  createRouter,
  type ParsedLocation,
  redirect,
} from "@tanstack/react-router";
import { checkoutOutcomes } from "#shared/plans.ts";
import { linkMessages } from "./features/account/link-messages/index.ts";
import { accountMessages } from "./features/account/messages/index.ts";
import { authMessages } from "./features/auth/messages/index.ts";
import { connectMessages } from "./features/connect/messages/index.ts";
import type { PrintSearch } from "./features/export/print/print-search.ts";
import { glossaryMessages } from "./features/glossary/messages/index.ts";
import { keepMessages } from "./features/keep/messages/index.ts";
import { mockMessages } from "./features/mock/messages/index.ts";
import { recordingMessages } from "./features/recording/messages/index.ts";
import { trashMessages } from "./features/trash/messages/index.ts";
import { commonMessages } from "./i18n/index.ts";
import { libraryMessages } from "./i18n/library/index.ts";
import { printMessages } from "./i18n/print/index.ts";
import { getFolderFilter, type HomeSearch, parseHomeSearch } from "./lib/home-search.ts";
import { lazyPage } from "./lib/lazy-page.ts";
import { getVisitor } from "./state/session.ts";
// Takes the secrets out of the address before the router reads it.
import "./state/mail-link.ts";
import type { MockPage } from "./features/mock/sidebar.tsx";
import { FailedPage } from "./routes/error-page.tsx";
import { LoadingPage, Root } from "./routes/root.tsx";

type CheckoutOutcome = (typeof checkoutOutcomes)[number];

/** The value of a query parameter if it is a non-empty text. */
const toText = (value: unknown) => (typeof value === "string" && value ? value : undefined);

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: lazyPage(() => import("./routes/not-found.tsx"), commonMessages),
});

const loadVisitor = async () => {
  await getVisitor();
};

const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/auth",
  validateSearch: (search: Record<string, unknown>): { redirect?: string } => {
    const target = toText(search.redirect);
    return target ? { redirect: target } : {};
  },
  beforeLoad: loadVisitor,
  component: lazyPage(() => import("./routes/auth.tsx"), authMessages),
});

/** Admits users and guests; others are redirected to /auth, and back here after signing in. */
async function requireVisitor({ location }: { location: ParsedLocation }): Promise<void> {
  const visitor = await getVisitor();
  if (visitor.kind !== "anonymous") return;
  throw redirect({
    to: "/auth",
    search: location.href === "/" ? {} : { redirect: location.href },
    replace: true,
  });
}

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: parseHomeSearch,
  async beforeLoad(context) {
    await requireVisitor(context);
    const { search, location } = context;
    // A lecture had its page here before.
    if (search.lecture && (await getVisitor()).kind === "user")
      throw redirect({ to: "/record", search, state: location.state, replace: true });
  },
  component: lazyPage(() => import("./routes/home.tsx"), libraryMessages),
});

const recordingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/recordings",
  validateSearch: parseHomeSearch,
  beforeLoad: requireVisitor,
  component: lazyPage(() => import("./routes/home.tsx"), libraryMessages),
});

const trashRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/trash",
  beforeLoad: requireVisitor,
  component: lazyPage(() => import("./routes/trash.tsx"), trashMessages),
});

function parseFolder(search: Record<string, unknown>): Pick<HomeSearch, "folder"> {
  const folder = getFolderFilter(parseHomeSearch(search));
  return folder ? { folder } : {};
}

const sharedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/shared",
  validateSearch: parseHomeSearch,
  beforeLoad: requireUser,
  component: lazyPage(() => import("./routes/shared.tsx"), libraryMessages),
});

const glossaryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/glossary",
  validateSearch: parseFolder,
  beforeLoad: requireVisitor,
  component: lazyPage(() => import("./routes/glossary.tsx"), glossaryMessages),
});

const askRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/ask",
  validateSearch: parseFolder,
  beforeLoad: requireVisitor,
  component: lazyPage(() => import("./routes/ask.tsx"), libraryMessages),
});

const quizRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/quiz",
  validateSearch: parseHomeSearch,
  beforeLoad: requireVisitor,
  component: lazyPage(() => import("./routes/quiz.tsx"), libraryMessages),
});

const printRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/print",
  // Unchecked: the page parses it, because rules here would load with every first visit.
  validateSearch: (search: Partial<PrintSearch>) => search,
  beforeLoad: requireVisitor,
  component: lazyPage(() => import("./routes/print.tsx"), printMessages),
});

const recordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/record",
  validateSearch: (search: Record<string, unknown>): HomeSearch & { autostart?: boolean } => ({
    ...parseHomeSearch(search),
    ...(search.autostart === true && { autostart: true }),
  }),
  beforeLoad: requireVisitor,
  component: lazyPage(() => import("./routes/record.tsx"), recordingMessages),
});

const confirmationPage = lazyPage(() => import("./routes/email-confirmation.tsx"), linkMessages);

const confirmationRoute = <const Path extends string>(path: Path) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: loadVisitor,
    component: confirmationPage,
  });

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset-password",
  component: lazyPage(() => import("./routes/reset-password.tsx"), linkMessages),
});

/** The `checkout` parameter with which the payment provider returns. */
const isOutcome = (value: unknown): value is CheckoutOutcome =>
  checkoutOutcomes.some((outcome) => outcome === value);

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/profile",
  validateSearch: (search: Record<string, unknown>): { checkout?: CheckoutOutcome } =>
    isOutcome(search.checkout) ? { checkout: search.checkout } : {},
  async beforeLoad({ search: { checkout } }) {
    await loadVisitor();
    if (!checkout) return;
    // The page shows the toast: this function may run more than once.
    throw redirect({ to: "/profile", replace: true, state: { checkout } });
  },
  component: lazyPage(() => import("./routes/profile.tsx"), accountMessages),
});

/** Admits users; others are redirected to /auth, and back here after signing in. */
async function requireUser({ location }: { location: ParsedLocation }): Promise<void> {
  if ((await getVisitor()).kind !== "user")
    throw redirect({ to: "/auth", search: { redirect: location.href }, replace: true });
}

/** Readers of a shared lecture come here for a copy. The fragment has the link's secret, which no address keeps. */
const keepRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/keep",
  async beforeLoad({ location }) {
    const { storeSharedLink } = await import("./features/keep/shared-link.ts");
    if (storeSharedLink(location.hash)) throw redirect({ to: "/keep", replace: true });
    await requireUser({ location });
  },
  component: lazyPage(() => import("./routes/keep.tsx"), keepMessages),
});

/** A program asks for access. */
const connectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/connect",
  // Unchecked: the page does it.
  validateSearch: (search: { request?: unknown; problem?: unknown }) => search,
  beforeLoad: requireUser,
  component: lazyPage(() => import("./routes/connect.tsx"), connectMessages),
});

/** A page of the mock-up. It needs no visitor: it has no real behaviour and makes no calls. */
const mockRoute = <const Path extends string>(path: Path, page: MockPage) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: lazyPage(
      async () => ({ default: (await import("./features/mock/index.tsx")).pages[page] }),
      mockMessages,
    ),
  });

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    authRoute,
    homeRoute,
    recordRoute,
    recordingsRoute,
    printRoute,
    trashRoute,
    sharedRoute,
    glossaryRoute,
    askRoute,
    quizRoute,
    confirmationRoute("/email-confirmation"),
    confirmationRoute("/verify"),
    resetRoute,
    profileRoute,
    keepRoute,
    connectRoute,
    mockRoute("/record2", "record"),
    mockRoute("/home2", "home"),
    mockRoute("/ai-assistant2", "assistant"),
    mockRoute("/courses2", "courses"),
    mockRoute("/notes2", "notes"),
    mockRoute("/knowledge2", "knowledge"),
    mockRoute("/settings2", "settings"),
    mockRoute("/subscription2", "subscription"),
    mockRoute("/profile2", "profile"),
  ]),
  defaultPreload: "intent",
  defaultPendingMs: 200,
  // The router would show the pending page for at least half a second.
  defaultPendingMinMs: 0,
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: FailedPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }

  /** What a navigation passes to its page besides the address. */
  interface HistoryState {
    /** Of /profile. */
    view?: "password" | "subscription";
    /** Of /profile: how the checkout ended from which the user returns. */
    checkout?: CheckoutOutcome;
    /** Of an open lecture: the list is one step back in the history. */
    fromList?: boolean;
    /** Of an open lecture: the time of the row to scroll to, in ms, which finds it where it has moved. */
    rowStartMs?: number;
    editing?: boolean;
    /** Of an open lecture: show the form that has its sound recognised again. */
    again?: boolean;
    /** Of /record: open the settings. */
    settings?: boolean;
    /** Of /auth: start with the section for a forgotten password. */
    forgotten?: boolean;
    /** Of /auth: start with Sign Up. */
    signUp?: boolean;
    /** Of /auth: a signed-in user wants another confirmation link. */
    unconfirmed?: boolean;
  }
}
