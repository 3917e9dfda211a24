import { Link } from "@tanstack/react-router";
import { getMinutesLeft } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/signal.ts";
import { getRemainingSeconds } from "#client/realtime/allowance.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { DataProvider } from "#client/state/queries.tsx";
import { useSubscription } from "#client/state/subscription.ts";
import { useT } from "./messages/index.ts";
import { getStatusWarning } from "./status.ts";

interface AllowanceLeftProps {
  session: RecordingSession;
  className: string;
  /** Hides it while there is a status warning. */
  hiddenByWarning?: boolean;
}

export default function AllowanceLeft(props: AllowanceLeftProps) {
  return (
    <DataProvider>
      <AllowanceText {...props} />
    </DataProvider>
  );
}

/** The remaining allowance: counted by the room while recording, otherwise from the account. */
function AllowanceText({ session, className, hiddenByWarning = false }: AllowanceLeftProps) {
  const t = useT();
  const view = useValue(session.view);
  const { info, state } = useSubscription();
  if (view.status === "recording" && view.speechEngine === "browser")
    return hiddenByWarning && getStatusWarning(view) ? null : (
      <span className={`whitespace-nowrap text-ink-3 text-sm ${className}`}>
        {t("record.noHoursUsed")}
      </span>
    );
  const counted = view.status === "recording" ? view.usage : null;
  if ((!counted && state !== "known") || (hiddenByWarning && getStatusWarning(view))) return null;
  const usage = counted ?? {
    usedSeconds: info.timeUsedThisMonth,
    limitSeconds: info.hourLimit * 3600,
  };
  const remaining = getRemainingSeconds(usage);
  const minutes = getMinutesLeft(usage.usedSeconds, usage.limitSeconds);
  const textClass = `tabular whitespace-nowrap text-sm ${className}`;
  if (remaining === 0) {
    return (
      <span className={`text-warn ${textClass}`}>
        {t("record.nothingLeft")}{" "}
        <Link
          to="/profile"
          state={{ view: "subscription" }}
          className="touch-target ml-1 underline underline-offset-3"
        >
          {t("record.toPlans")}
        </Link>
      </span>
    );
  }
  return (
    <span className={`text-ink-3 ${textClass}`}>
      {minutes === null
        ? t("record.hoursLeft", { hours: (remaining / 3600).toFixed(1) })
        : t("record.minutesLeft", { minutes })}
    </span>
  );
}
