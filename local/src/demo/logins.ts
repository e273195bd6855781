/** Public on purpose, printed by `npm start` and the README; that is why HOST is loopback. */
export const DEMO_LOGINS = [
  { role: 'admin', email: 'admin@cairn.example', password: 'cairn-demo-admin' },
  { role: 'user', email: 'investor@cairn.example', password: 'cairn-demo-investor' },
] as const
