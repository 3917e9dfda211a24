import { lazy } from "react";
import { languageMessages } from "#client/i18n/languages/index.ts";
import type { LanguageListProps } from "./language-list.tsx";
import { LazySelect } from "./select.tsx";

const load = async () => {
  const [list] = await Promise.all([import("./language-list.tsx"), languageMessages.load()]);
  return list;
};
const LanguageList = lazy(load);

/** A choice among languages. Their names are found out when the list is first opened. */
export function LanguageSelect<T extends string>({
  lockedReason,
  ...props
}: LanguageListProps<T> & { lockedReason?: string | undefined }) {
  const { label, text, className } = props;
  return (
    <LazySelect
      label={label}
      text={text}
      className={className}
      lockedReason={lockedReason}
      load={load}
    >
      <LanguageList {...props} />
    </LazySelect>
  );
}
