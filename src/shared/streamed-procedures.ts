/** Procedures that answer in pieces. */
export const streamedProcedures: ReadonlySet<string> = new Set([
  "ai.flashcards",
  "ai.recap",
  "ai.summarize",
  "ask.ask",
  "quiz.write",
]);

/**
 * Procedures that wait for the model, and answer once. The page calls them as streams too: what is sent while they wait
 * shows that the caller is still there, and each is a request of its own, which ends when the caller aborts it.
 */
export const modelProcedures: ReadonlySet<string> = new Set([
  "actionItems.find",
  "ai.context",
  "ai.formulas",
  "ai.lookUp",
  "ai.proposeTerms",
  "ai.translate",
  "ai.translateRows",
  "quiz.grade",
]);
