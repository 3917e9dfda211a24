import type { SessionApi } from "#client/lecture/server-api.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { GuestTickets } from "#client/recognition/room/guest-tickets.ts";
import type { SessionPorts } from "#client/recorder/session-ports.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { guestTicketParam, tabParam, takeOverParam } from "#shared/site.ts";

/** A start waits no longer for the room's refusal: the connection reports it as well. */
const refusalTimeoutMs = 3_000;

/** The way to a recording's room: its address, with a ticket for a guest, and whether it would refuse. */
export class RoomAccess {
  #guestTickets: GuestTickets | null = null;

  constructor(
    private readonly deps: { api: SessionApi; ports: SessionPorts; identity: "user" | "guest" },
  ) {}

  /**
   * Path and query for one connection. `recordingId`: a user's lecture, ignored for a guest.
   * `takesOver`: the room disconnects another tab or device that records it.
   *
   * @throws ApiError
   */
  async getPath(recordingId: string, takesOver: boolean): Promise<string> {
    const { api, identity, ports } = this.deps;
    const query = new URLSearchParams({
      [tabParam]: ports.tabId,
      ...(takesOver ? { [takeOverParam]: "1" } : {}),
    });
    if (identity === "user") return `/api/recordings/${recordingId}?${query}`;
    const { clock, log } = ports;
    const { GuestTickets } = await ports.loadLivePath();
    this.#guestTickets ??= new GuestTickets({ clock, log, issue: api.issueGuestTicket });
    const { recordingId: id, ticket } = await this.#guestTickets.getTicket();
    query.set(guestTicketParam, ticket);
    return `/api/recordings/${id}?${query}`;
  }

  /** Why the room would refuse a connection now; null: it would not, or it does not answer. */
  async fetchRefusal(recordingId: string, outer: AbortSignal): Promise<ErrorCode | null> {
    const { clock, transport } = this.deps.ports;
    const fetch = async () => transport.fetchRefusal(await this.getPath(recordingId, false));
    const refusal = await withTimeout(clock, refusalTimeoutMs, fetch, outer).catch(() => null);
    return refusal?.code ?? null;
  }

  /** Requests the ticket with which a guest's sentences are translated where no room is opened. */
  async requestGuestTicket(): Promise<void> {
    if (this.deps.identity === "user") return;
    await this.getPath("", false).catch(() => this.deps.ports.log.warn("guest ticket not issued"));
  }

  /** Drops the guest's ticket: the next recording is another one. */
  dropGuestTicket(): void {
    this.#guestTickets?.dispose();
    this.#guestTickets = null;
  }
}
