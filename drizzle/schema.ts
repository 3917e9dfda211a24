export * from "./accounts.ts";
export * from "./billing.ts";
export * from "./library.ts";
