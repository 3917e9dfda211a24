import AskSheet from "#client/features/ask/ask-sheet.tsx";
import { askMessages } from "#client/features/ask/messages/index.ts";
import { lazyPart } from "#client/lib/lazy.tsx";

/** The sheet in which a lecture is asked, with its messages. */
export default lazyPart(async () => ({ default: AskSheet }), askMessages);
