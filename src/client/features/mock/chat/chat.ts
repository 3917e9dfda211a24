export const replyDelayMs = 1_500;

export interface ChatMessage {
  id: number;
  sender: "ai" | "user";
  text: string;
  /** Milliseconds since 1970. */
  timestamp: number;
}

export interface Chat {
  /** Oldest first. */
  messages: readonly ChatMessage[];
  draft: string;
  waiting: boolean;
}

export type ChatEvent =
  | { type: "written"; text: string }
  | { type: "sent"; now: number }
  | { type: "answered"; text: string; now: number };

export const openChat = (greeting: string, now: number): Chat => ({
  messages: [{ id: 1, sender: "ai", text: greeting, timestamp: now }],
  draft: "",
  waiting: false,
});

/** Nothing blank is sent, and nothing while an answer is awaited. */
export const canSend = ({ draft, waiting }: Chat): boolean => draft.trim() !== "" && !waiting;

export function chatAfter(chat: Chat, event: ChatEvent): Chat {
  switch (event.type) {
    case "written":
      return { ...chat, draft: event.text };
    case "sent":
      if (!canSend(chat)) return chat;
      return { ...added(chat, "user", chat.draft.trim(), event.now), draft: "", waiting: true };
    case "answered":
      if (!chat.waiting) return chat;
      return { ...added(chat, "ai", event.text, event.now), waiting: false };
    default:
      return event satisfies never;
  }
}

function added(chat: Chat, sender: ChatMessage["sender"], text: string, timestamp: number): Chat {
  const id = (chat.messages.at(-1)?.id ?? 0) + 1;
  return { ...chat, messages: [...chat.messages, { id, sender, text, timestamp }] };
}

export const answersIn = ({ messages }: Chat): number =>
  messages.filter(({ sender }) => sender === "user").length;
