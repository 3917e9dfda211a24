export * from "./accounts.ts";
export * from "./billing.ts";
export * from "./counters.ts";
export * from "./glossary.ts";
export * from "./library.ts";
export * from "./search.ts";
export * from "./sharing.ts";
export * from "./trash.ts";
