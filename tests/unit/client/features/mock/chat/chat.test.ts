import { describe, expect, it } from "vitest";
import {
  canSend,
  countQuestions,
  createChat,
  reduceChat,
  replyDelayMs,
} from "#client/features/mock/chat/chat.ts";

const initialChat = createChat("你好", 1);
const written = reduceChat(initialChat, { type: "written", text: "  什么是秩？ " });
const sent = reduceChat(written, { type: "sent", now: 2 });
const answered = reduceChat(sent, { type: "answered", text: "秩是……", now: 3 });

describe("the chat", () => {
  it("answers after 1.5 s", () => expect(replyDelayMs).toBe(1500));

  it("begins with a greeting and nothing to send", () => {
    expect(initialChat.messages).toEqual([{ id: 1, sender: "ai", text: "你好", timestamp: 1 }]);
    expect(canSend(initialChat)).toBe(false);
  });

  it("does not send an empty message", () => {
    const blank = reduceChat(initialChat, { type: "written", text: " \n " });
    expect(canSend(blank)).toBe(false);
    expect(reduceChat(blank, { type: "sent", now: 2 })).toBe(blank);
  });

  it("sends the trimmed draft and waits", () => {
    expect(canSend(written)).toBe(true);
    expect(sent.messages.at(-1)).toEqual({
      id: 2,
      sender: "user",
      text: "什么是秩？",
      timestamp: 2,
    });
    expect([sent.draft, sent.isAnswerPending]).toEqual(["", true]);
  });

  it("sends nothing while an answer is pending", () => {
    const eager = reduceChat(sent, { type: "written", text: "还有呢？" });
    expect(canSend(eager)).toBe(false);
    expect(reduceChat(eager, { type: "sent", now: 3 })).toBe(eager);
    const after = reduceChat(eager, { type: "answered", text: "秩是……", now: 3 });
    expect(after.draft).toBe("还有呢？");
    expect(canSend(after)).toBe(true);
  });

  it("shows an answer once", () => {
    expect(answered.messages.at(-1)).toEqual({
      id: 3,
      sender: "ai",
      text: "秩是……",
      timestamp: 3,
    });
    expect(reduceChat(answered, { type: "answered", text: "秩是……", now: 4 })).toBe(answered);
    expect(countQuestions(answered)).toBe(1);
  });
});
