import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { getMinutesLeft } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/hooks.ts";
import { formatNumber } from "#client/lib/text.ts";
import { isRoomEngine } from "#client/recognition/speech-engine.ts";
import { getRemainingSeconds } from "#client/recorder/allowance.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { canRecognize, selectSpeechEngine, speechChoice } from "#client/state/engines.ts";
import { useSiteInfo, withData } from "#client/state/queries.tsx";
import { hasPlans } from "#client/state/site-info.ts";
import { useSubscription } from "#client/state/subscription.ts";
import { getLimitSeconds } from "#shared/plans.ts";
import { useT } from "./engine-messages/index.ts";
import { speechOffer, timeOffer } from "./screen-state.ts";
import { getStatusWarning } from "./status.ts";

interface AllowanceLeftProps {
  session: RecordingSession;
  signedIn: boolean;
  /** Before a recording. */
  isShown: boolean;
}

export default withData(AllowanceLeft);

function AllowanceLeft({ session, signedIn, isShown }: AllowanceLeftProps) {
  useTimeOffer(session, signedIn);
  return signedIn && isShown ? <AllowanceText session={session} /> : null;
}

/** Sets `timeOffer`: a guest's time is known to be used up once the room has refused it. */
function useTimeOffer(session: RecordingSession, signedIn: boolean): void {
  const view = useValue(session.view);
  const { status } = view;
  const { info: plan, state } = useSubscription();
  const { data: site } = useSiteInfo();
  const wasRefused = useValue(speechOffer) === "limit";
  const choice = useValue(speechChoice);
  const isUsedUp = signedIn
    ? state === "known" && plan.timeUsedThisMonth >= getLimitSeconds(plan)
    : wasRefused;
  const isCounted = site !== undefined && isRoomEngine(selectSpeechEngine(site, choice, view));
  const plansOffer = hasPlans(site) ? "plans" : null;
  const isOffered = isUsedUp && isCounted && status !== "recording";
  useEffect(() => {
    const other = signedIn ? plansOffer : "signIn";
    timeOffer.set(isOffered ? (canRecognize() ? "browser" : other) : null);
    return () => timeOffer.set(null);
  }, [isOffered, signedIn, plansOffer]);
}

/** How much of the account's time is left. A status warning takes its place. */
function AllowanceText({ session }: Pick<AllowanceLeftProps, "session">) {
  const t = useT();
  const language = useLanguage();
  const view = useValue(session.view);
  const { info, state } = useSubscription();
  const { data: site } = useSiteInfo();
  if (getStatusWarning(view) || state !== "known") return null;
  const usage = {
    usedSeconds: info.timeUsedThisMonth,
    limitSeconds: getLimitSeconds(info),
  };
  if (!Number.isFinite(usage.limitSeconds)) return null;
  const remaining = getRemainingSeconds(usage);
  const minutes = getMinutesLeft(usage.usedSeconds, usage.limitSeconds);
  if (remaining === 0) {
    return (
      <span className="tabular text-sm text-warn">
        {t("record.nothingLeft")}{" "}
        {hasPlans(site) ? (
          <Link
            to="/profile"
            state={{ view: "subscription" }}
            className="touch-target ml-1 underline underline-offset-3"
          >
            {t("record.toPlans")}
          </Link>
        ) : null}
      </span>
    );
  }
  return (
    <span className="tabular text-ink-3 text-sm">
      {minutes === null
        ? t("record.hoursLeft", { hours: formatNumber(remaining / 3600, language, 1) })
        : t("record.minutesLeft", { minutes })}
    </span>
  );
}
