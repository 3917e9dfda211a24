export * from "./accounts.ts";
export * from "./billing.ts";
export * from "./counters.ts";
export * from "./guests.ts";
export * from "./library.ts";
export * from "./marks.ts";
export * from "./search.ts";
export * from "./trash.ts";
