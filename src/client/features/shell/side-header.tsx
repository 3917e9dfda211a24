import { SlidersHorizontal } from "lucide-react";
import { useT } from "#client/i18n/index.ts";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { HeaderLinks } from "./header.tsx";

/** What the header has, at the top of the sidebar where a page has no header. */
export function SideHeader({ onSettings }: { onSettings: () => void }) {
  const t = useT();
  return (
    <div className="mb-3 flex items-center gap-1 border-rule border-b px-1 pb-2">
      <HeaderLinks />
      <div className="ml-auto flex items-center gap-1">
        <LanguageSwitch />
        <AccountMenu
          isHere={false}
          entries={[
            {
              key: "settings",
              icon: SlidersHorizontal,
              label: t("account.recordingSettings"),
              run: onSettings,
            },
          ]}
        />
      </div>
    </div>
  );
}
