import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useT } from "../i18n/index.ts";
import { visitor } from "../lib/auth.ts";
import { useValue } from "../lib/signal.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Seal } from "../ui/seal.tsx";

/** In place of a page that failed: what to do next. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const t = useT();
  const router = useRouter();
  // Nobody could be recognised: the server was not reached at all.
  const offline = useValue(visitor).kind === "unknown";
  useEffect(() => console.warn("A page failed", error), [error]);
  return (
    <main className="grid min-h-[70dvh] place-items-center px-6" role="alert">
      <div className="grid max-w-md justify-items-center gap-3 text-center">
        <Seal className="mb-3 size-10" />
        <h1 className="font-semibold text-2xl tracking-tight">
          {t(offline ? "offline.title" : "crash.title")}
        </h1>
        <p className="text-ink-2 text-md">{t(offline ? "offline.text" : "crash.text")}</p>
        <div className="mt-4 flex flex-wrap justify-center gap-2">
          <Button
            look="ink"
            onClick={() => {
              reset();
              void router.invalidate();
            }}
          >
            {t("common.retry")}
          </Button>
          {offline ? null : (
            <a href="/" className={buttonClass()}>
              {t("crash.home")}
            </a>
          )}
        </div>
      </div>
    </main>
  );
}
