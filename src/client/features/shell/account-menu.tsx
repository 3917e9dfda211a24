import { useNavigate } from "@tanstack/react-router";
import { LogIn, LogOut, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "../../i18n/index.ts";
import { signOut, visitor } from "../../lib/auth.ts";
import { toast } from "../../lib/notify.ts";
import { recordingSession } from "../../lib/recording.ts";
import { useValue } from "../../lib/signal.ts";
import { Menu, MenuHeading, MenuItem } from "../../ui/menu.tsx";

/** Who is there, and what they may do about it. `children` are entries of the page. */
export function AccountMenu({ children }: { children?: ReactNode }) {
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
    await navigate({ to: "/auth" });
  }

  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`${t("account.menu")}: ${name}`}
          className="touch-target ml-1 grid size-8 shrink-0 place-items-center rounded-full bg-jade-wash font-semibold text-jade text-sm uppercase"
        >
          {who.kind === "user" ? (
            name.slice(0, 1)
          ) : (
            <UserRound className="size-4" aria-hidden="true" />
          )}
        </button>
      }
    >
      <MenuHeading>{name}</MenuHeading>
      {children}
      {who.kind === "guest" ? (
        <MenuItem
          icon={<LogIn className="size-4" aria-hidden="true" />}
          onClick={() => navigate({ to: "/auth" })}
        >
          {t("account.signIn")}
        </MenuItem>
      ) : null}
      <MenuItem icon={<LogOut className="size-4" aria-hidden="true" />} onClick={leave}>
        {t("account.signOut")}
      </MenuItem>
    </Menu>
  );
}
