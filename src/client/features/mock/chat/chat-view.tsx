import { ArrowUp } from "lucide-react";
import { type FormEvent, useEffect, useReducer, useRef } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { sampleLanguage } from "#client/features/mock/sample.ts";
import { browserClock } from "#client/lib/clock.ts";
import { formatTime } from "#client/lib/dates.ts";
import {
  type ChatMessage,
  canSend,
  countQuestions,
  createChat,
  reduceChat,
  replyDelayMs,
} from "./chat.ts";

/** A conversation with sample answers. It fills the height of its parent. */
export function ChatView() {
  const t = useT();
  const [chat, dispatch] = useReducer(reduceChat, null, () =>
    createChat(greeting, browserClock.now()),
  );
  const list = useRef<HTMLDivElement>(null);
  const { messages, isAnswerPending } = chat;
  const answer = getSampleAnswer(countQuestions(chat) - 1);

  useEffect(() => {
    if (!isAnswerPending) return;
    return browserClock.after(replyDelayMs, () =>
      dispatch({ type: "answered", text: answer, now: browserClock.now() }),
    );
  }, [isAnswerPending, answer]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the end on each new message
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages, isAnswerPending]);

  function send(event: FormEvent) {
    event.preventDefault();
    dispatch({ type: "sent", now: browserClock.now() });
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
          value={chat.draft}
          autoComplete="off"
          onChange={(event) => dispatch({ type: "written", text: event.target.value })}
          className="h-11 w-full rounded-m border border-rule-control bg-sheet pr-13 pl-3.5 text-base text-ink transition-colors duration-150 ease-quiet hover:border-rule-strong"
        />
        <button
          type="submit"
          aria-label={t("mock.chat.send")}
          title={t("mock.chat.send")}
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
  const t = useT();
  const own = sender === "user";
  return (
    <div className={`grid gap-1 ${own ? "justify-items-end pl-8" : "pr-8"}`}>
      <p className="tabular flex gap-2 text-ink-3 text-xs">
        <span className="font-[550]">{t(own ? "mock.chat.you" : "mock.chat.ai")}</span>
        <span>{formatTime(new Date(timestamp).toISOString())}</span>
      </p>
      <p
        // The language of a user's own text is unknown.
        lang={own ? "" : sampleLanguage}
        className={`wrap-anywhere text-md leading-[1.65] ${own ? "rounded-m bg-paper-3 px-3.5 py-2" : ""}`}
      >
        {text}
      </p>
    </div>
  );
}

const greeting =
  "你好！我是你的课堂助手。关于这节线性代数课，你可以问我概念、例题，也可以让我整理要点。";

const answers = [
  "矩阵的秩，是它的列向量中线性无关的最大个数。老师在 1:02 举的例子里，第三列等于前两列之和，所以秩是 2。",
  "这节课的要点有三个：秩的定义、用初等行变换求秩，以及秩与方程组解的关系。要我把它们整理成笔记吗？",
  "可以这样理解：把矩阵看成一次变换，秩就是变换之后空间的维数。秩不满，说明有方向被压扁了。",
] as const;

const getSampleAnswer = (answered: number): string =>
  answers[answered % answers.length] ?? answers[0];
