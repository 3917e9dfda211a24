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

function toMessage(id: number, sender: ChatMessage["sender"], text: string): ChatMessage {
  const lang = sender === "user" ? "" : document.documentElement.lang;
  return { id, sender, text, lang, timestamp: browserClock.now() };
}

/** A conversation with sample answers. It fills the height of its parent. */
export function Chat() {
  const t = useT();
  const language = useLanguage();
  const { greeting, answers } = useSample().chat;
  const [messages, setMessages] = useState(() => [toMessage(0, "ai", greeting)]);
  const [draft, setDraft] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const { length } = messages;
  // The greeting and each answer is followed by a question.
  const isAnswerPending = length % 2 === 0;
  const canSend = draft.trim() !== "" && !isAnswerPending;

  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
    if (length % 2 === 1) return;
    const answer = answers[(length / 2 - 1) % answers.length] ?? "";
    return browserClock.after(replyDelayMs, () =>
      setMessages((earlier) => [...earlier, toMessage(length, "ai", answer)]),
    );
  }, [length, answers]);

  function send(event: FormEvent) {
    event.preventDefault();
    if (!canSend) return;
    setMessages([...messages, toMessage(length, "user", draft.trim())]);
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
        {messages.map(({ id, sender, text, lang, timestamp }) => (
          <div
            key={id}
            className={`grid gap-1 ${sender === "user" ? "justify-items-end pl-8" : "pr-8"}`}
          >
            <p className="tabular flex gap-2 text-ink-3 text-xs">
              <span className="font-[550]">{t(`mock.chat.${sender}`)}</span>
              <span>{formatTime(new Date(timestamp).toISOString(), language)}</span>
            </p>
            <p
              lang={lang}
              className={`wrap-anywhere text-md leading-[1.65] ${sender === "user" ? "rounded-m bg-paper-3 px-3.5 py-2" : ""}`}
            >
              {text}
            </p>
          </div>
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
