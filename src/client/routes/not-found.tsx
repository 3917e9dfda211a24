import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { useT } from "#client/i18n/index.ts";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { useTitle } from "#client/lib/title.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { Seal } from "#client/ui/seal.tsx";

export default function NotFoundPage() {
  const t = useT();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useTitle(t("title.notFound"));
  useEffect(() => console.error(`Unknown route: ${path}`), [path]);
  return (
    <main className="grid min-h-dvh place-items-center px-6">
      <div className="grid justify-items-center gap-3 text-center">
        <Seal className="mb-3 size-10" />
        <h1 className="font-semibold text-2xl tracking-tight">{t("notFound.title")}</h1>
        <p className="text-ink-2 text-md">{t("notFound.text")}</p>
        <Link to="/" className={`${getButtonClass({ look: "ink" })} mt-4`}>
          {t("notFound.back")}
        </Link>
        <div className="mt-8">
          <LanguageSwitch />
        </div>
      </div>
    </main>
  );
}
