/** Limits of a person's programs, for the page as well, which has no schemas. */

export const personalTokensMax = 20;
export const webhooksMax = 5;
/** Characters of a token's name. */
export const programNameMaxLength = 60;
