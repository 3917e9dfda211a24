/**
 * The hash of no password (its digest was drawn at random), with the costs of the real ones. It is
 * verified against when an address has no account.
 */
export const absentAccountHash =
  "$argon2id$v=19$m=19456,t=2,p=1$Yzx1+M6nQUj/+hLwwzpdNA$HY0VUfSfwGhf86zXpBrALmiSQKB0iuHNZndvHYeBG1I";
