/** The logins of the demo. They are public, so HOST is a loopback address by default. */
export const DEMO_LOGINS = [
  { role: 'admin', email: 'admin@cairn.example', password: 'cairn-demo-admin' },
  { role: 'user', email: 'investor@cairn.example', password: 'cairn-demo-investor' },
] as const
