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
  isAnswerPending: boolean;
}

export type ChatEvent =
  | { type: "written"; text: string }
  | { type: "sent"; now: number }
  | { type: "answered"; text: string; now: number };

export const createChat = (greeting: string, now: number): Chat => ({
  messages: [{ id: 1, sender: "ai", text: greeting, timestamp: now }],
  draft: "",
  isAnswerPending: false,
});

/** False for an empty draft and while an answer is pending. */
export const canSend = ({ draft, isAnswerPending }: Chat): boolean =>
  draft.trim() !== "" && !isAnswerPending;

export function reduceChat(chat: Chat, event: ChatEvent): Chat {
  switch (event.type) {
    case "written":
      return { ...chat, draft: event.text };
    case "sent":
      if (!canSend(chat)) return chat;
      return {
        ...addMessage(chat, "user", chat.draft.trim(), event.now),
        draft: "",
        isAnswerPending: true,
      };
    case "answered":
      if (!chat.isAnswerPending) return chat;
      return { ...addMessage(chat, "ai", event.text, event.now), isAnswerPending: false };
    default:
      return event satisfies never;
  }
}

function addMessage(
  chat: Chat,
  sender: ChatMessage["sender"],
  text: string,
  timestamp: number,
): Chat {
  const id = (chat.messages.at(-1)?.id ?? 0) + 1;
  return { ...chat, messages: [...chat.messages, { id, sender, text, timestamp }] };
}

export const countQuestions = ({ messages }: Chat): number =>
  messages.filter(({ sender }) => sender === "user").length;
