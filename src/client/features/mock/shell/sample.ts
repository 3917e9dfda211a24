export const folders = ["大二上学期", "研讨会", "考研资料"] as const;

export const hours = { used: 3.2, limit: 10 } as const;
