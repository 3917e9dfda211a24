/** The required settings of production. */
export const productionSettings = {
  DATABASE_URL: "postgresql://user:pass@db.example.org/dualect",
  SONIOX_API_KEY: "soniox-key",
  LLM_API_KEY: "llm-key",
  LLM_MODEL: "model",
  RESEND_API_KEY: "resend-key",
  MAIL_FROM: "Dualect <hello@example.org>",
  APP_ORIGIN: "https://dualect.example.org",
  GUEST_TICKET_SECRET: "a secret of tests that is long enough",
  STRIPE_SECRET_KEY: "sk_live_key",
  STRIPE_WEBHOOK_SECRET: "whsec_secret",
  STRIPE_PRO_PRODUCT: "prod_1",
  STRIPE_PRO_MONTHLY_PRICE: "price_1m",
  STRIPE_PRO_ANNUAL_PRICE: "price_1y",
  STRIPE_PREMIUM_PRODUCT: "prod_2",
  STRIPE_PREMIUM_MONTHLY_PRICE: "price_2m",
  STRIPE_PREMIUM_ANNUAL_PRICE: "price_2y",
};
