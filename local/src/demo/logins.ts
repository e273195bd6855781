/** Public on purpose: `npm start` and the README show them, so HOST is a loopback address. */
export const DEMO_LOGINS = [
  { role: 'admin', email: 'admin@cairn.example', password: 'cairn-demo-admin' },
  { role: 'user', email: 'investor@cairn.example', password: 'cairn-demo-investor' },
] as const
