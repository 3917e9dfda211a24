/** Parameter of the sign-up page's address, behind `#`: the invitation. */
export const invitationParam = "invitation";
