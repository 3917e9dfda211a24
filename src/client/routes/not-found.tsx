import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { useT } from "#client/i18n/index.ts";
import { useTitle } from "#client/lib/title.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { PlainPage } from "#client/ui/page.tsx";

export default function NotFoundPage() {
  const t = useT();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useTitle(t("title.notFound"));
  useEffect(() => console.error(`Unknown route: ${path}`), [path]);
  return (
    <PlainPage title={t("notFound.title")} text={<p>{t("notFound.text")}</p>}>
      <Link to="/" className={getButtonClass({ look: "ink" })}>
        {t("notFound.back")}
      </Link>
    </PlainPage>
  );
}
