import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useT } from "#client/i18n/index.ts";
import { getButtonClass } from "./button.tsx";

/** For a guest, below what needs an account. Signed in, the person is on the recording page again. */
export function SignInOffer({ children, className }: { children: ReactNode; className: string }) {
  const t = useT();
  return (
    <div className={`grid justify-items-start gap-3 ${className}`}>
      {children}
      <Link
        to="/auth"
        search={{ redirect: "/record" }}
        className={getButtonClass({ size: "small" })}
      >
        {t("auth.signIn")}
      </Link>
    </div>
  );
}
