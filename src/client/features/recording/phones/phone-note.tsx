import { useT } from "#client/features/recording/engine-messages/index.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { copyText } from "#client/lib/notifications.ts";
import { Button } from "#client/ui/button.tsx";
import { findPhone, getKnownSince, knownPhones } from "./known-phones.ts";

const isInstalled = () => window.matchMedia("(display-mode: standalone)").matches;

/** On a phone: what it does with a recording when it is locked or another app comes up, and what can be done. */
export function PhoneNote() {
  const t = useT();
  const language = useLanguage();
  const { userAgent, maxTouchPoints } = navigator;
  const kind = findPhone({ userAgent, maxTouchPoints, isInstalled: isInstalled() });
  if (kind === null) return null;
  const { locked, otherApp } = knownPhones[kind];
  const month = { year: "numeric", month: "long", timeZone: "UTC" } as const;
  const since = new Date(getKnownSince(kind)).toLocaleDateString(language, month);
  return (
    <details className="mt-3 max-w-[34em] font-ui text-ink-2 text-xs columns:ml-22">
      <summary className="touch-target cursor-pointer content-center text-pretty">
        {t(otherApp === "goesOn" ? "phone.lockedOnly" : `phone.${locked}`)}
      </summary>
      <div className="grid justify-items-start gap-1.5 pb-2 pl-4 text-pretty">
        {kind === "iosInstalled" || kind === "androidInstalled" ? (
          <>
            <p>{t(kind === "iosInstalled" ? "phone.inSafari" : "phone.inBrowser")}</p>
            <Button
              size="small"
              onClick={() => {
                const address = `${location.origin}/record`;
                void copyText(address, t("phone.copied"), [t("phone.copyFailed"), address]);
              }}
            >
              {t("phone.copy")}
            </Button>
          </>
        ) : null}
        <p>{t("wakeLock" in navigator ? "phone.awake" : "phone.notAwake")}</p>
        <p>{t("phone.gap")}</p>
        <p className="text-ink-3">{t("phone.since", { since })}</p>
      </div>
    </details>
  );
}
