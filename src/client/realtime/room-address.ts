import { guestTicketParam } from "../../shared/site.ts";
import { GuestTickets } from "./guest-tickets.ts";
import type { SessionApi } from "./session-api.ts";
import type { SessionPorts } from "./session-ports.ts";

/** Where a recording's room is, with a guest's permission where one is needed. */
export class RoomAddress {
  readonly #deps: { api: SessionApi; ports: SessionPorts; identity: "user" | "guest" };
  #tickets: GuestTickets | null = null;

  constructor(deps: { api: SessionApi; ports: SessionPorts; identity: "user" | "guest" }) {
    this.#deps = deps;
  }

  /** Path and query for one connection. `recordingId` is a user's lecture. @throws ApiError */
  async path(recordingId: string): Promise<string> {
    const { api, identity, ports } = this.#deps;
    if (identity === "user") return `/api/recordings/${recordingId}`;
    const issue = (previous: string | null) => api.guestTicket(previous);
    this.#tickets ??= new GuestTickets({ issue, clock: ports.clock, log: ports.log });
    const { recordingId: id, ticket } = await this.#tickets.current();
    const query = new URLSearchParams({ [guestTicketParam]: ticket });
    return `/api/recordings/${id}?${query}`;
  }

  /** Lets the guest's permission lapse: the next recording is another one. */
  forget(): void {
    this.#tickets?.dispose();
    this.#tickets = null;
  }
}
