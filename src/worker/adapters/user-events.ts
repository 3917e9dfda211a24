import type { Logger, UserChannelCalls, UserEvents } from "#server/ports.ts";

/** Notifies the user's `UserChannel`. A failed call is only logged: tabs refresh by themselves later. */
export function connectUserEvents(
  channels: Cloudflare.Env["USER_CHANNEL"],
  logger: Logger,
): UserEvents {
  const notify = async (userId: string, call: keyof UserChannelCalls) => {
    try {
      await channels.getByName(userId)[call]();
    } catch {
      logger.warn("user_event_lost", { userId, call });
    }
  };
  return {
    reportProfileChange: (userId) => notify(userId, "reportProfileChange"),
    reportEndedSessions: (userId) => notify(userId, "reportEndedSessions"),
  };
}
