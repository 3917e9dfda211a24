import { Link } from "@tanstack/react-router";
import { ArrowLeft, type LucideIcon } from "lucide-react";
import { getButtonClass } from "#client/ui/button.tsx";
import { type MessageKey, useT } from "./messages/index.ts";
import { Column, Shell } from "./shell/shell.tsx";

interface PlaceholderProps {
  name: "home" | "notes" | "knowledge" | "subscription" | "profile";
  Icon: LucideIcon;
}

export function PlaceholderPage({ name, Icon }: PlaceholderProps) {
  const t = useT();
  const title: MessageKey = `mock.${name}.title`;
  return (
    <Shell title={`mock.title.${name}`}>
      <Column>
        <div className="mt-[12dvh] grid justify-items-center gap-3 text-center">
          <span
            aria-hidden="true"
            className="mb-3 grid size-14 place-items-center rounded-full bg-jade-wash text-jade"
          >
            <Icon className="size-6" />
          </span>
          <h1 className="font-semibold text-2xl tracking-tight">{t(title)}</h1>
          <p className="max-w-[44ch] text-balance text-ink-2 text-md">{t(`mock.${name}.text`)}</p>
          <BackToRecord className="mt-4" />
        </div>
      </Column>
    </Shell>
  );
}

interface BackToRecordProps {
  size?: "small";
  className?: string;
}

export function BackToRecord({ size, className = "" }: BackToRecordProps) {
  const t = useT();
  return (
    <Link to="/record2" className={`${getButtonClass(size ? { size } : {})} ${className}`}>
      <ArrowLeft className="size-4" aria-hidden="true" />
      {t("mock.placeholder.back")}
    </Link>
  );
}
