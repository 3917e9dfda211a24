const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** True for ids that the schema `uuid` accepts; for pages that would load Zod for nothing else. */
export const isUuid = (text: string): boolean => pattern.test(text);
