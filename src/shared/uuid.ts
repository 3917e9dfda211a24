const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** True for what the schema `uuid` takes as a random id; for a page that needs no other schema. */
export const isUuid = (text: string): boolean => pattern.test(text);
