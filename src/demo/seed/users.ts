/** The three kinds of users in a consent; the demo's organisations share them. */
export const users = [
  { name: 'Ana Whitcombe', email: 'ana.whitcombe@demo.example', administrator: true, privilege: true },
  { name: 'Ben Adeyemi', email: 'ben.adeyemi@demo.example', administrator: true, privilege: false },
  { name: 'Chloé Tran', email: 'chloe.tran@demo.example', administrator: false, privilege: false },
] as const;

/** Signs in where a consent has to succeed. */
export const ADMINISTRATOR = users[0].name;
