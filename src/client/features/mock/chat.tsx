import { ArrowUp } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { browserClock } from "#client/lib/clock.ts";
import { formatTime } from "#client/lib/dates.ts";
import { useT } from "./messages/index.ts";
import { useSample } from "./sample.tsx";

const replyDelayMs = 1_500;

interface ChatMessage {
  id: number;
  sender: "ai" | "user";
  text: string;
  /** Of `text`; empty for a person's own, whose language is unknown. */
  lang: string;
  /** Milliseconds since 1970. */
  timestamp: number;
}

const addMessage = (
  messages: readonly ChatMessage[],
  sender: ChatMessage["sender"],
  text: string,
): ChatMessage[] => [
  ...messages,
  {
    id: messages.length + 1,
    sender,
    text,
    lang: sender === "user" ? "" : document.documentElement.lang,
    timestamp: browserClock.now(),
  },
];

/** A conversation with sample answers. It fills the height of its parent. */
export function Chat() {
  const t = useT();
  const { greeting, answers } = useSample().chat;
  const [messages, setMessages] = useState(() => addMessage([], "ai", greeting));
  const [draft, setDraft] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const isAnswerPending = messages.at(-1)?.sender === "user";
  const canSend = draft.trim() !== "" && !isAnswerPending;

  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
    if (messages.at(-1)?.sender !== "user") return;
    const answered = messages.filter(({ sender }) => sender === "user").length - 1;
    const answer = answers[answered % answers.length] ?? "";
    return browserClock.after(replyDelayMs, () => setMessages(addMessage(messages, "ai", answer)));
  }, [messages, answers]);

  function send(event: FormEvent) {
    event.preventDefault();
    if (!canSend) return;
    setMessages(addMessage(messages, "user", draft.trim()));
    setDraft("");
  }

  return (
    <div className="grid h-full min-h-0 grid-rows-[minmax(0,1fr)_auto]">
      <div
        ref={list}
        role="log"
        aria-label={t("mock.chat.messages")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className="-outline-offset-2 grid content-start gap-5 overflow-y-auto px-5 py-5"
      >
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
        {isAnswerPending ? (
          <p className="animate-breathe text-ink-3 text-sm">{t("mock.chat.waiting")}</p>
        ) : null}
      </div>
      <form onSubmit={send} className="relative border-rule border-t px-4 py-3">
        <input
          aria-label={t("mock.chat.field")}
          placeholder={t("mock.chat.placeholder")}
          value={draft}
          autoComplete="off"
          onChange={(event) => setDraft(event.target.value)}
          className="h-11 w-full rounded-m border border-rule-control bg-sheet pr-13 pl-3.5 text-base text-ink transition-colors duration-150 ease-quiet hover:border-rule-strong"
        />
        <button
          type="submit"
          aria-label={t("mock.chat.send")}
          title={t("mock.chat.send")}
          disabled={!canSend}
          className="absolute top-1/2 right-5.5 grid size-8 -translate-y-1/2 place-items-center rounded-s bg-ink text-paper transition-colors duration-150 ease-quiet hover:bg-ink-2 disabled:cursor-not-allowed disabled:bg-paper-3 disabled:text-ink-3 pointer-coarse:right-4.5 pointer-coarse:size-10"
        >
          <ArrowUp className="size-4.5" />
        </button>
      </form>
    </div>
  );
}

function Message({ message: { sender, text, lang, timestamp } }: { message: ChatMessage }) {
  const t = useT();
  const language = useLanguage();
  const own = sender === "user";
  return (
    <div className={`grid gap-1 ${own ? "justify-items-end pl-8" : "pr-8"}`}>
      <p className="tabular flex gap-2 text-ink-3 text-xs">
        <span className="font-[550]">{t(own ? "mock.chat.you" : "mock.chat.ai")}</span>
        <span>{formatTime(new Date(timestamp).toISOString(), language)}</span>
      </p>
      <p
        lang={lang}
        className={`wrap-anywhere text-md leading-[1.65] ${own ? "rounded-m bg-paper-3 px-3.5 py-2" : ""}`}
      >
        {text}
      </p>
    </div>
  );
}
