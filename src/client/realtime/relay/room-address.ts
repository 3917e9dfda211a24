import type { SessionApi } from "#client/realtime/server-api.ts";
import type { SessionPorts } from "#client/realtime/session-ports.ts";
import { guestTicketParam, tabParam, takeOverParam } from "#shared/site.ts";
import type { GuestTickets } from "./guest-tickets.ts";

/** Builds the address of a recording's room, with a ticket for a guest. */
export class RoomAddress {
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
    const issue = (previous: string | null) => api.issueGuestTicket(previous);
    const { createGuestTickets } = await ports.loadLivePath();
    this.#guestTickets ??= createGuestTickets({ issue, clock: ports.clock, log: ports.log });
    const { recordingId: id, ticket } = await this.#guestTickets.getTicket();
    query.set(guestTicketParam, ticket);
    return `/api/recordings/${id}?${query}`;
  }

  /** Drops the guest's ticket: the next recording is another one. */
  dropGuestTicket(): void {
    this.#guestTickets?.dispose();
    this.#guestTickets = null;
  }
}
