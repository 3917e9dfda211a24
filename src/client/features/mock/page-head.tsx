import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { getButtonClass } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";

export function PageHead({ name }: { name: "assistant" | "courses" | "settings" }) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div>
        <h1 className="font-semibold text-2xl tracking-tight">{t(`mock.${name}.title`)}</h1>
        <p className="mt-1.5 text-pretty text-ink-2">{t(`mock.${name}.text`)}</p>
      </div>
      <BackToRecord className={getButtonClass({ size: "small" })} />
    </div>
  );
}

export function BackToRecord({ className }: { className: string }) {
  const t = useT();
  return (
    <Link to="/record2" className={className}>
      <ArrowLeft className="size-4" aria-hidden="true" />
      {t("mock.placeholder.back")}
    </Link>
  );
}
