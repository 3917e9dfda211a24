import { useNavigate, useRouterState } from "@tanstack/react-router";
import { LogIn, LogOut, Moon, Settings, Sun, UserRound } from "lucide-react";
import { chooseLanguage, useLanguage } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { confirmDiscard } from "#client/state/confirm-discard.ts";
import { toggleTheme } from "#client/state/profile-theme.ts";
import { confirmSignOut, signOut } from "#client/state/sign-out.ts";
import { theme } from "#client/state/theme.ts";
import { visitor } from "#client/state/visitor.ts";
import { Menu } from "#client/ui/menu.tsx";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";

interface AccountMenuProps {
  /** The page that is shown is the account's. */
  isHere: boolean;
  /** Added by the page. */
  entries?: readonly MenuEntry[];
}

/** The visitor's name and account actions. */
export function AccountMenu({ isHere, entries = [] }: AccountMenuProps) {
  const t = useT();
  const navigate = useNavigate();
  const who = useValue(visitor);
  const name = who.kind === "user" ? who.user.email : t("account.guest");
  const isRecordPage = useRouterState({
    select: ({ location }) => location.pathname === "/record",
  });
  const label = t(isRecordPage ? "account.profileSettings" : "account.settings");
  const language = useLanguage();
  const isDark = useValue(theme) === "dark";
  const places: MenuEntry[] = [
    { key: "home", label: t("nav.home"), run: () => void navigate({ to: "/" }) },
    {
      key: "record",
      label: t("nav.recordings"),
      run: () => void navigate({ to: "/record" }),
    },
  ];
  const look: MenuEntry[] = [
    {
      key: "theme",
      icon: isDark ? Sun : Moon,
      label: t(isDark ? "theme.toLight" : "theme.toDark"),
      run: toggleTheme,
    },
    {
      key: "language",
      // In the language that it leads to, so that its readers find it.
      label: language === "en" ? "中文" : "English",
      lang: language === "en" ? "zh-Hans" : "en",
      run: () =>
        void chooseLanguage(language === "en" ? "zh" : "en").catch(() =>
          toastFailure(t("common.error"), t("error.unavailable")),
        ),
    },
  ];
  const openProfile = () => void navigate({ to: "/profile" });
  const signIn: MenuEntry = {
    key: "signIn",
    icon: LogIn,
    label: t("auth.signIn"),
    // A guest's recording becomes a lecture of the account on the recording page.
    run: () => openAuth(isRecordPage ? { redirect: "/record" } : {}),
  };
  const end = (deletesSound: boolean) =>
    void signOut(deletesSound).then(() => navigate({ to: "/auth" }));
  const openAuth = (search: { redirect?: string }) => void navigate({ to: "/auth", search });
  const startSignOut = () =>
    confirmDiscard(
      () => void confirmSignOut(end),
      () => openAuth({ redirect: "/record" }),
    );

  return (
    <Menu
      heading={name}
      entries={[
        ...places,
        { key: "profile", icon: Settings, label, run: openProfile },
        ...entries,
        ...look,
        ...(who.kind === "guest" ? [signIn] : []),
        {
          key: "signOut",
          icon: LogOut,
          label: t(who.kind === "guest" ? "account.leaveGuest" : "account.signOut"),
          run: startSignOut,
        },
      ]}
      trigger={{
        "aria-label": `${t("account.menu")}: ${name}`,
        "aria-current": isHere || undefined,
        className:
          "touch-target ml-1 grid size-9 shrink-0 place-items-center rounded-full aria-[current]:*:ring-2 pointer-coarse:ml-0",
        children: (
          <span className="grid size-8 place-items-center rounded-full bg-jade-wash ring-jade font-semibold text-jade text-sm uppercase">
            {who.kind === "user" ? name.slice(0, 1) : <UserRound className="size-4" />}
          </span>
        ),
      }}
    />
  );
}
