import Koa from 'koa'
import pg from 'pg'

// The baseline for reads through the gateway: a server that runs the queries of the gateway and
// nothing else.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 })
const app = new Koa()
app.use(async (ctx) => {
  const token = /sid=([\w-]+)/.exec(ctx.headers.cookie ?? '')?.[1] ?? ''
  const session = await pool.query({
    name: 'session',
    text: `select u.id, u.name, u.email, u.role, u.status, s.last_seen_at
           from identity.session s join identity.user u on u.id = s.user_id
           where s.token_hash = sha256($1::bytea) and s.expires_at > now()`,
    values: [Buffer.from(token)],
  })
  const [caller] = session.rows
  if (caller === undefined) {
    ctx.status = 401
    return
  }
  const codes = ['balance', 'profit', 'referral', 'held:balance', 'held:profit', 'held:referral']
  const accounts = [...codes, 'principal'].map((kind) => `investor:${caller.id}:${kind}`)
  const [user, banks, investor, balances] = await Promise.all([
    pool.query({
      name: 'user',
      text: 'select * from identity.user where id = $1',
      values: [caller.id],
    }),
    pool.query({
      name: 'banks',
      text: `select * from platform.bank_account where user_id = $1 and archived_at is null
             order by created_at, id limit 20`,
      values: [caller.id],
    }),
    pool.query({
      name: 'investor',
      text: 'select * from ledger.investor where ledger_id = 1 and investor_id = $1',
      values: [caller.id],
    }),
    pool.query({
      name: 'balances',
      text: 'select account, balance_minor from ledger.balance where ledger_id = 1 and account = any($1)',
      values: [accounts],
    }),
  ])
  ctx.body = { user: user.rows[0], banks: banks.rows, wallet: [investor.rows[0], balances.rows] }
})
app.listen(Number(process.env.PORT), '127.0.0.1')
