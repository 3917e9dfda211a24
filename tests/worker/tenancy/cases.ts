import { createHash } from "node:crypto";
import { createEntry } from "#tests/fixtures/create-entry.ts";

/** What an attacker knows of the owner: ids, the e-mail address, and hashes of a stolen database. */
export interface Known {
  email: string;
  userId: string;
  lectureId: string;
  /** Of two rows of the lecture. */
  entryIds: readonly [string, string];
  folderId: string;
  markId: string;
  takeId: string;
  questionId: string;
  quizQuestionId: string;
  slideId: string;
  termId: string;
  personalTokenId: string;
  webhookId: string;
  /** In the owner's trash. */
  deletionId: string;
  /** A stored hash of a session or token. */
  storedHash: string;
}

export interface Case {
  /** A valid input with the owner's ids. */
  input(owner: Known): unknown;
  /**
   * The answer to another user: an error code, or "nothing of the owner's" for a procedure that always
   * works on the caller's own data.
   */
  stranger: string;
  /** The answer to a guest, if it differs. */
  guest?: string;
  /** Answers in pieces. */
  stream?: true;
}

const own = "nothing of the owner's";
const ofId = (name: keyof Known, rest: object = {}): Case => ({
  input: (owner) => ({ id: owner[name], ...rest }),
  stranger: "not_found",
});
const ofLecture = (rest: object) => ofId("lectureId", rest);
const ofShared = (rest: object): Case => ({
  input: ({ lectureId }) => ({ lectureId, ...rest }),
  stranger: "not_found",
});
const nothing = (stranger: string): Case => ({ input: () => undefined, stranger });

const entry = createEntry("x", 0, { translated: "x", translatedInto: "fr" });
const guess = "not the password";

/** One case per procedure; a missing one fails the test. */
export const cases: Record<string, Case> = {
  "actionItems.find": ofShared({ timeZone: "Asia/Shanghai" }),

  "ai.context": {
    input: ({ lectureId }) => ({ lectureId }),
    stranger: "not_found",
    guest: "sign_in_required",
  },
  "ai.flashcards": {
    input: () => ({
      language: "fr",
      items: [
        {
          id: "m0",
          sentence: "x",
          translated: "",
          before: "",
          after: "",
          note: "",
          term: null,
        },
      ],
    }),
    stranger: own,
    stream: true,
  },
  "ai.formulas": {
    input: () => ({ sentence: "x", before: "", language: "en", wordContext: "" }),
    stranger: own,
  },
  "ai.lookUp": {
    input: () => ({
      words: "x",
      sentence: "x",
      language: "en",
      wordContext: "",
      translateInto: "fr",
      explainIn: "fr",
    }),
    stranger: own,
  },
  "ai.proposeTerms": {
    input: () => ({ text: "x", language: "en", targetLanguage: "fr", known: [] }),
    stranger: own,
  },
  "ai.recap": {
    input: () => ({
      rows: [{ id: "r1", text: "x" }],
      spokenIn: "en",
      language: "fr",
      wordContext: "",
      before: "",
    }),
    stranger: own,
    stream: true,
  },
  "ai.summarize": {
    input: ({ lectureId }) => ({ lectureId, targetLanguage: "fr" }),
    stranger: "not_found",
    stream: true,
  },
  "ai.translate": {
    input: () => ({ text: "x", targetLanguage: "fr", context: "", wordContext: "" }),
    stranger: own,
  },
  "ai.translateRows": {
    input: () => ({
      rows: [{ id: "a", text: "x" }],
      sourceLanguage: "en",
      targetLanguage: "fr",
      wordContext: "",
      before: [],
      digest: "",
    }),
    // The stand-in's answer is that of any model.
    stranger: own,
  },

  "ask.ask": {
    input: ({ lectureId }) => ({
      id: crypto.randomUUID(),
      kind: "asked",
      question: "x",
      follows: null,
      answerIn: "fr",
      scope: { lectureId, folderId: null },
    }),
    stranger: "not_found",
    stream: true,
  },
  "ask.delete": { input: ({ questionId }) => ({ ids: [questionId] }), stranger: own },
  "ask.list": {
    input: ({ lectureId }) => ({ scope: { lectureId, folderId: null } }),
    stranger: own,
  },

  "auth.changePassword": {
    input: () => ({ currentPassword: guess, newPassword: guess }),
    stranger: "current_password_invalid",
  },
  "auth.deleteAccount": { input: () => ({ confirmation: "delete" }), stranger: own },
  "auth.forgotPassword": {
    input: () => ({ email: `${crypto.randomUUID()}@example.org` }),
    stranger: own,
  },
  "auth.refresh": {
    input: ({ storedHash }) => ({ refreshToken: storedHash }),
    stranger: "token_invalid",
  },
  "auth.resendConfirmation": nothing(own),
  "auth.session": nothing(own),
  "auth.setPassword": { input: () => ({ password: guess }), stranger: "token_invalid" },
  "auth.setSession": {
    input: ({ storedHash }) => ({ accessToken: storedHash, refreshToken: storedHash }),
    stranger: "token_invalid",
  },
  "auth.signIn": {
    input: ({ email }) => ({ email, password: guess }),
    stranger: "credentials_invalid",
  },
  "auth.signOut": nothing(own),
  "auth.signUp": { input: ({ email }) => ({ email, password: guess }), stranger: "email_in_use" },
  "auth.tokens": {
    input: ({ email }) => ({ email, password: guess }),
    stranger: "credentials_invalid",
  },
  "auth.verify": {
    input: ({ storedHash }) => ({ type: "signup", tokenHash: storedHash }),
    stranger: "token_invalid",
  },

  "backups.capacity": nothing(own),
  "backups.lecture": ofLecture({}),
  "backups.questions": { input: () => ({}), stranger: own },
  "backups.quiz": { input: () => ({}), stranger: own },
  "backups.restoreLecture": {
    input: ({ lectureId, folderId }) => ({
      lecture: {
        id: lectureId,
        folderId,
        title: "x",
        titleSource: "person",
        status: "draft",
        createdAt: "2026-11-20T08:00:00.000Z",
        updatedAt: "2026-11-20T08:00:00.000Z",
        excerpt: "x",
        translatedExcerpt: "",
        sourceLanguage: "en",
        targetLanguage: "fr",
        isTwoWay: false,
        usedTime: 0,
        hasDemoText: false,
        summary: null,
        context: null,
        speakerNames: {},
        originalText: "",
        translatedText: "",
      },
      from: 0,
      entries: [entry],
      marks: [],
      takes: [],
      isFirst: true,
      isLast: true,
    }),
    stranger: "conflict",
  },
  "backups.restoreQuestions": {
    input: ({ lectureId, questionId }) => ({
      questions: [
        {
          id: questionId,
          formerId: questionId,
          scope: { lectureId, folderId: null },
          kind: "asked",
          question: "x",
          follows: null,
          statements: [],
          nearest: [],
          answeredIn: "fr",
          createdAt: "2026-11-20T08:00:00.000Z",
        },
      ],
    }),
    stranger: own,
  },
  "backups.restoreQuiz": {
    input: ({ lectureId, quizQuestionId, entryIds }) => ({
      questions: [
        {
          id: quizQuestionId,
          formerId: quizQuestionId,
          lectureId,
          kind: "short",
          prompt: "x",
          choices: [],
          answer: "x",
          rows: [{ id: entryIds[0], position: 0, startMs: 0, text: "x" }],
          language: "en",
          memory: null,
          dueAt: "2026-11-20T08:00:00.000Z",
          createdAt: "2026-11-20T08:00:00.000Z",
        },
      ],
    }),
    stranger: own,
  },
  "backups.terms": { input: () => ({}), stranger: own },

  "connections.allow": {
    input: ({ storedHash }) => ({ request: storedHash }),
    stranger: "token_expired",
  },
  "connections.describe": {
    input: ({ storedHash }) => ({ request: storedHash }),
    stranger: "token_expired",
  },

  "folders.chips": { input: () => ({}), stranger: own },
  "folders.create": {
    input: ({ folderId }) => ({ id: crypto.randomUUID(), name: "x", parentFolderId: folderId }),
    stranger: "not_found",
  },
  "folders.delete": ofId("folderId"),
  "folders.list": nothing(own),
  "folders.move": ofId("folderId", { parentFolderId: null }),
  "folders.rename": ofId("folderId", { name: "x" }),

  "glossary.change": {
    input: ({ folderId, termId }) => ({ folderId, changes: [{ id: termId, note: "x" }] }),
    stranger: "not_found",
  },
  "glossary.get": { input: ({ folderId }) => ({ folderId }), stranger: "not_found" },

  "lectures.appendEntries": {
    input: ({ lectureId }) => ({ lectureId, from: 0, entries: [{ ...entry, revision: 9 }] }),
    stranger: "not_found",
  },
  "lectures.saveRows": {
    input: ({ lectureId, entryIds: [changed, gone] }) => ({
      lectureId,
      entries: [{ ...entry, id: changed, seq: 9 }],
      deleted: [{ id: gone, seq: 9 }],
    }),
    stranger: "not_found",
  },
  "lectures.change": ofLecture({
    targetLanguage: "de",
    summary: "x",
    context: "x",
    speakerNames: { "1": "x" },
    actionItems: [],
    hasDemoText: true,
  }),
  "lectures.complete": ofLecture({ title: "x" }),
  "lectures.create": {
    input: ({ lectureId }) => ({
      id: lectureId,
      title: "x",
      targetLanguage: "fr",
      hasDemoText: true,
    }),
    stranger: "conflict",
  },
  "lectures.delete": ofLecture({}),
  "lectures.deleteAll": { input: () => ({ confirmation: "delete all" }), stranger: own },
  "lectures.get": ofLecture({}),
  "lectures.item": ofLecture({}),
  "lectures.list": { input: ({ folderId }) => ({ folderId }), stranger: own },
  "lectures.move": ofLecture({ folderId: null }),
  "lectures.names": { input: ({ lectureId }) => ({ ids: [lectureId] }), stranger: own },
  "lectures.rename": ofLecture({ title: "x" }),
  // The answer repeats the query, so it contains only part of the mark.
  "lectures.search": { input: () => ({ query: "mark" }), stranger: own },

  "marks.change": {
    input: ({ lectureId, markId }) => ({
      lectureId,
      marks: [{ id: crypto.randomUUID(), atMs: 0, position: null, note: "x" }],
      deletedIds: [markId],
    }),
    stranger: "not_found",
  },
  "marks.list": { input: ({ lectureId }) => ({ lectureId }), stranger: own },

  "people.change": ofShared({ email: "x@example.org", role: "reads" }),
  // The caller has not confirmed their own address.
  "people.invite": {
    input: ({ lectureId }) => ({ lectureId, email: "x@example.org", role: "reads" }),
    stranger: "validation_failed",
  },
  "people.leave": { input: ({ lectureId }) => ({ lectureId }), stranger: own },
  "people.list": { input: ({ lectureId }) => ({ lectureId }), stranger: own },
  "people.remove": { input: ({ lectureId }) => ({ lectureId, email: null }), stranger: own },
  "people.shared": nothing(own),

  "profiles.get": nothing(own),
  "profiles.setSummaryInstructions": { input: () => ({ instructions: "x" }), stranger: own },
  "profiles.setTheme": { input: () => ({ theme: "dark" }), stranger: own },
  "profiles.summaryInstructions": nothing(own),

  "quiz.addCards": {
    input: ({ lectureId, entryIds: [rowId] }) => ({
      lectureId,
      cards: [{ id: crypto.randomUUID(), rowId, prompt: "x", answer: "y" }],
    }),
    stranger: "not_found",
  },
  "quiz.delete": { input: ({ quizQuestionId }) => ({ ids: [quizQuestionId] }), stranger: own },
  "quiz.grade": ofId("quizQuestionId", { answer: "x", reasonIn: "fr" }),
  "quiz.lectures": {
    input: ({ lectureId }) => ({ scope: { lectureId, folderId: null } }),
    stranger: own,
  },
  "quiz.list": {
    input: ({ folderId }) => ({ scope: { lectureId: null, folderId } }),
    stranger: own,
  },
  "quiz.review": {
    input: ({ quizQuestionId }) => ({
      reviews: [
        {
          id: crypto.randomUUID(),
          questionId: quizQuestionId,
          rating: "again",
          answeredAt: "2026-11-20T08:00:00.000Z",
        },
      ],
    }),
    stranger: own,
  },
  "quiz.write": {
    input: ({ lectureId }) => ({ lectureId, language: "en" }),
    stranger: "not_found",
    stream: true,
  },

  "recording.guestTicket": { input: () => ({ previous: null }), stranger: own },

  "shares.change": ofShared({ mayCopy: true }),
  "shares.create": ofShared({ mode: "until_revoked", mayCopy: true }),
  // Ending what is not shared changes nothing.
  "shares.end": { input: ({ lectureId }) => ({ lectureId }), stranger: own },
  "shares.get": { input: ({ lectureId }) => ({ lectureId }), stranger: own },
  // Whoever has the link may keep a copy; a stranger has its stored hash at most.
  "shares.keep": {
    input: ({ storedHash }) => ({
      id: crypto.randomUUID(),
      language: "fr",
      code: createHash("sha256").update(storedHash).digest("base64url").slice(0, 22),
    }),
    stranger: "not_found",
  },
  "shares.renew": ofShared({}),

  "site.info": nothing(own),

  "slides.delete": {
    input: ({ lectureId, slideId }) => ({ lectureId, ids: [slideId] }),
    stranger: "not_found",
  },
  "slides.list": { input: ({ lectureId }) => ({ lectureId }), stranger: own },
  "slides.move": {
    input: ({ lectureId, slideId, entryIds: [, rowId] }) => ({
      lectureId,
      places: [{ id: slideId, rowId, placedBy: "person" }],
    }),
    stranger: "not_found",
  },
  "slides.save": {
    input: ({ lectureId, slideId }) => ({
      lectureId,
      slides: [
        {
          id: slideId,
          rowId: null,
          atMs: null,
          page: 1,
          fileName: "x.pdf",
          source: "file",
          text: "x",
          placedBy: "words",
          width: 16,
          height: 9,
        },
      ],
    }),
    stranger: "not_found",
  },
  "slides.usage": nothing(own),

  "subscriptions.check": nothing(own),
  "subscriptions.checkout": { input: () => ({ priceId: "price_pro_monthly" }), stranger: own },
  "subscriptions.downgrade": nothing("conflict"),
  "subscriptions.plans": nothing(own),
  "subscriptions.portal": nothing(own),
  "subscriptions.resume": { input: () => ({}), stranger: "conflict" },
  "subscriptions.simulateDowngrade": nothing("conflict"),
  "subscriptions.simulatePayment": { input: () => ({ tier: "pro" }), stranger: own },

  "takes.list": { input: ({ lectureId }) => ({ lectureId }), stranger: own },
  "takes.store": {
    input: ({ lectureId, takeId }) => ({
      lectureId,
      takes: [
        {
          id: takeId,
          startedAt: 0,
          codec: "opus",
          gaps: [],
          capturedMs: 9,
          acknowledgedMs: 9,
          transcribedMs: 9,
          missingMs: 0,
        },
      ],
    }),
    stranger: "not_found",
  },

  "tokens.create": { input: () => ({ name: "x", scope: "write" }), stranger: own },
  "tokens.list": nothing(own),
  "tokens.revoke": ofId("personalTokenId"),

  "trash.empty": nothing(own),
  "trash.list": { input: () => ({}), stranger: own },
  "trash.remove": ofId("deletionId"),
  "trash.restore": ofId("deletionId"),

  "webhooks.create": { input: () => ({ url: "https://hooks.example.org/" }), stranger: own },
  "webhooks.delete": ofId("webhookId"),
  "webhooks.enable": ofId("webhookId"),
  "webhooks.list": nothing(own),
};
