import { Link } from "@tanstack/react-router";
import { useT } from "#client/i18n/library/index.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { RecordLink } from "./record-link.tsx";

export function GuestHome() {
  const t = useT();
  return (
    <>
      <PageHead title={t("home.title")} />
      <Placeholder title={t("home.guestTitle")} text={t("home.guestText")}>
        <RecordLink />
        <Link to="/auth" className={getButtonClass()}>
          {t("auth.signIn")}
        </Link>
      </Placeholder>
    </>
  );
}
