import { ArrowUp } from "lucide-react";
import { type FormEvent, useEffect, useReducer, useRef } from "react";
import { browserClock } from "../../lib/clock.ts";
import { formatTime } from "../../lib/dates.ts";
import { sampleLanguage, useWords } from "../words.ts";
import { answersIn, type ChatMessage, canSend, chatAfter, openChat, replyDelayMs } from "./chat.ts";
import { cannedAnswer, greeting } from "./sample.ts";

/** A conversation whose answers are samples. It takes the height that it is given. */
export function ChatView() {
  const t = useWords();
  const [chat, tell] = useReducer(chatAfter, null, () => openChat(greeting, browserClock.now()));
  const list = useRef<HTMLDivElement>(null);
  const { messages, waiting } = chat;
  const answer = cannedAnswer(answersIn(chat) - 1);

  useEffect(() => {
    if (!waiting) return;
    return browserClock.after(replyDelayMs, () =>
      tell({ type: "answered", text: answer, now: browserClock.now() }),
    );
  }, [waiting, answer]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is new is at the end
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages, waiting]);

  function send(event: FormEvent) {
    event.preventDefault();
    tell({ type: "sent", now: browserClock.now() });
  }

  return (
    <div className="grid h-full min-h-0 grid-rows-[minmax(0,1fr)_auto]">
      <div
        ref={list}
        role="log"
        aria-label={t("chat.messages")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className="-outline-offset-2 grid content-start gap-5 overflow-y-auto px-5 py-5"
      >
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
        {waiting ? <p className="animate-breathe text-ink-3 text-sm">{t("chat.waiting")}</p> : null}
      </div>
      <form onSubmit={send} className="relative border-rule border-t px-4 py-3">
        <input
          aria-label={t("chat.field")}
          placeholder={t("chat.placeholder")}
          value={chat.draft}
          autoComplete="off"
          onChange={(event) => tell({ type: "written", text: event.target.value })}
          className="h-11 w-full rounded-m border border-rule bg-sheet pr-13 pl-3.5 text-base text-ink transition-colors duration-150 ease-quiet hover:border-rule-strong"
        />
        <button
          type="submit"
          aria-label={t("chat.send")}
          title={t("chat.send")}
          disabled={!canSend(chat)}
          className="absolute top-1/2 right-5.5 grid size-8 -translate-y-1/2 place-items-center rounded-s bg-ink text-paper transition-colors duration-150 ease-quiet hover:bg-ink-2 disabled:cursor-not-allowed disabled:bg-paper-3 disabled:text-ink-3 pointer-coarse:right-4.5 pointer-coarse:size-10"
        >
          <ArrowUp className="size-4.5" aria-hidden="true" />
        </button>
      </form>
    </div>
  );
}

function Message({ message: { sender, text, timestamp } }: { message: ChatMessage }) {
  const t = useWords();
  const own = sender === "user";
  return (
    <div className={`grid gap-1 ${own ? "justify-items-end pl-8" : "pr-8"}`}>
      <p className="tabular flex gap-2 text-ink-3 text-xs">
        <span className="font-[550]">{t(own ? "chat.you" : "chat.ai")}</span>
        <span>{formatTime(new Date(timestamp).toISOString())}</span>
      </p>
      <p
        // What somebody writes is in a language that only they know.
        lang={own ? "" : sampleLanguage}
        className={`wrap-anywhere text-md leading-[1.65] ${own ? "rounded-m bg-paper-3 px-3.5 py-2" : ""}`}
      >
        {text}
      </p>
    </div>
  );
}
