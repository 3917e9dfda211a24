import { useNavigate } from "@tanstack/react-router";
import { LogIn, LogOut, UserRound } from "lucide-react";
import { useT } from "../../i18n/index.ts";
import { signOut, visitor } from "../../lib/auth.ts";
import { toast } from "../../lib/notify.ts";
import { endSession, recordingSession } from "../../lib/recording.ts";
import { useValue } from "../../lib/signal.ts";
import { Menu } from "../../ui/menu.tsx";
import type { MenuEntry } from "../../ui/menu-props.ts";

/** Who is there, and what they may do about it. `entries` are those of the page. */
export function AccountMenu({ entries = [] }: { entries?: readonly MenuEntry[] }) {
  const t = useT();
  const navigate = useNavigate();
  const who = useValue(visitor);
  const name = who.kind === "user" ? who.user.email : t("account.guest");

  async function leave() {
    // What is being recorded is stopped and saved under the session that is about to end.
    await recordingSession.get()?.reset();
    if (!(await signOut())) {
      toast({ kind: "failure", title: t("common.error"), description: t("account.signOutFailed") });
    }
    endSession();
    await navigate({ to: "/auth" });
  }

  const signIn: MenuEntry = {
    key: "signIn",
    icon: <LogIn className="size-4" aria-hidden="true" />,
    label: t("account.signIn"),
    run: () => void navigate({ to: "/auth" }),
  };
  const out: MenuEntry = {
    key: "signOut",
    icon: <LogOut className="size-4" aria-hidden="true" />,
    label: t("account.signOut"),
    run: () => void leave(),
  };

  return (
    <Menu
      heading={name}
      entries={[...entries, ...(who.kind === "guest" ? [signIn] : []), out]}
      trigger={{
        "aria-label": `${t("account.menu")}: ${name}`,
        className:
          "touch-target ml-1 grid size-8 shrink-0 place-items-center rounded-full bg-jade-wash font-semibold text-jade text-sm uppercase",
        children:
          who.kind === "user" ? (
            name.slice(0, 1)
          ) : (
            <UserRound className="size-4" aria-hidden="true" />
          ),
      }}
    />
  );
}
