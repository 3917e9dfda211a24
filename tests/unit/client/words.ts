import { loadRooms } from "../../../src/client/i18n/index.ts";

// Tests render parts of any page, without the page that would have brought its words.
await loadRooms();
