/** The three kinds of user at a consent, shared by the demo's organisations. */
export const users = [
  { name: 'Ana Whitcombe', email: 'ana.whitcombe@demo.example', administrator: true, privilege: true },
  { name: 'Ben Adeyemi', email: 'ben.adeyemi@demo.example', administrator: true, privilege: false },
  { name: 'Chloé Tran', email: 'chloe.tran@demo.example', administrator: false, privilege: false },
] as const;

/** Signs in where a consent must succeed. */
export const ADMINISTRATOR = users[0].name;
