import { useT } from "#client/features/recording/engine-messages/index.ts";
import { useLanguage, useSentenceSpace } from "#client/i18n/bundle.ts";
import { alertUser, copyText } from "#client/lib/notifications.ts";
import { TextButton } from "#client/ui/text-button.tsx";
import { findPhone, knownPhones } from "./known-phones.ts";

const isInstalled = () => window.matchMedia("(display-mode: standalone)").matches;

/** On a phone: in one line what it does with a recording when nobody sees the page, and in a dialog what can be done. */
export function PhoneNote() {
  const t = useT();
  const language = useLanguage();
  const space = useSentenceSpace();
  const { userAgent, maxTouchPoints } = navigator;
  const kind = findPhone({ userAgent, maxTouchPoints, isInstalled: isInstalled() });
  if (kind === null) return null;
  const { locked, otherApp } = knownPhones[kind];
  const outcome = otherApp === "goesOn" ? "lockedOnly" : locked;

  function explain(phone: NonNullable<typeof kind>) {
    const tab = { iosInstalled: "phone.inSafari", androidInstalled: "phone.inBrowser" } as const;
    const inTab = phone === "iosInstalled" || phone === "androidInstalled" ? tab[phone] : null;
    const month = { year: "numeric", month: "long", timeZone: "UTC" } as const;
    const since = new Date(knownPhones[phone].since).toLocaleDateString(language, month);
    const address = `${location.origin}/record`;
    const copy = () => void copyText(address, t("phone.copied"), [t("phone.copyFailed"), address]);
    const texts = [
      t(`phone.${outcome}Text`),
      ...(inTab ? [t(inTab)] : []),
      t("wakeLock" in navigator ? "phone.awake" : "phone.notAwake"),
      t("phone.gap"),
      t("phone.since", { since }),
    ];
    alertUser({
      title: t("phone.title"),
      text: texts.join(space),
      ...(inTab && { actions: [{ label: t("phone.copy"), run: copy }] }),
    });
  }

  return (
    <aside className="flex min-w-0 flex-wrap items-center gap-x-2.5 text-ink-2 text-sm">
      <span>{t(`phone.${outcome}`)}</span>
      <TextButton onClick={() => explain(kind)}>{t("phone.more")}</TextButton>
    </aside>
  );
}
