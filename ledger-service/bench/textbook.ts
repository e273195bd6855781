import type pg from 'pg'
import { openBaseline } from './baseline.ts'

/**
 * The number of clients of the baseline, a simple ledger as in a textbook. It has one balance row
 * per account. Each transfer is one transaction that locks both rows in the order of their ids.
 */
export const TEXTBOOK_CLIENTS = 20

const DEFINITIONS = `
  create table textbook.transfer (
    id bigint generated always as identity primary key,
    debit bigint not null,
    credit bigint not null,
    amount bigint not null check (amount > 0),
    idempotency_key text unique,
    created_at timestamptz not null default now()
  );
  create table textbook.entry (
    transfer_id bigint not null references textbook.transfer,
    account_id bigint not null references textbook.account,
    amount bigint not null,
    balance_after bigint not null,
    primary key (account_id, transfer_id)
  );
  create table textbook.request (
    id bigint generated always as identity primary key,
    kind text not null,
    account_id bigint not null references textbook.account,
    amount bigint not null,
    status text not null default 'pending',
    created_at timestamptz not null default now()
  ) with (fillfactor = 80);
  create table textbook.investment (
    id bigint generated always as identity primary key,
    account_id bigint not null references textbook.account,
    principal bigint not null,
    promised bigint not null,
    credited bigint not null default 0,
    units_done int not null default 0
  ) with (fillfactor = 50);`

interface Leg {
  debit: number
  credit: number
  amount: number
}

export interface Textbook {
  transfer(leg: Leg, key: string): Promise<void>
  request(kind: string, account: number, amount: number): Promise<number>
  /** Approves a request and moves its money, in one transaction. */
  settle(request: number, leg: Leg): Promise<void>
  /** Records a request and holds its money, in one transaction. Returns the id of the request. */
  requestWithHold(kind: string, hold: Leg): Promise<number>
  invest(of: { account: number; principal: number }, legs: readonly Leg[]): Promise<number>
  accrue(investment: number, leg: Leg): Promise<void>
  /** Checks the balances, then disconnects. */
  close(): Promise<void>
}

export async function openTextbook(url: string, accounts: number): Promise<Textbook> {
  const baseline = { schema: 'textbook', definitions: DEFINITIONS, accounts }
  const { pool, close } = await openBaseline(url, { ...baseline, clients: TEXTBOOK_CLIENTS })

  async function runInTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }

  return {
    transfer: (leg, key) => runInTransaction((client) => moveAmount(client, leg, key)),
    request: (kind, account, amount) => insertRequest(pool, kind, account, amount),
    requestWithHold: (kind, hold) =>
      runInTransaction(async (client) => {
        const id = await insertRequest(client, kind, hold.debit, hold.amount)
        await moveAmount(client, hold)
        return id
      }),
    settle: (request, legs) =>
      runInTransaction(async (client) => {
        const { rowCount } = await client.query(
          prepareQuery(
            'settle',
            "update textbook.request set status = 'success' where id = $1 and status = 'pending'",
            [request],
          ),
        )
        if (rowCount !== 1) throw new Error('the request is already settled')
        await moveAmount(client, legs)
      }),
    invest: ({ account, principal }, legs) =>
      runInTransaction(async (client) => {
        for (const leg of legs) await moveAmount(client, leg)
        const { rows } = await client.query(
          prepareQuery(
            'invest',
            'insert into textbook.investment (account_id, principal, promised) values ($1, $2, $3) returning id',
            [account, principal, principal * 2],
          ),
        )
        return Number(rows[0].id)
      }),
    accrue: (investment, leg) =>
      runInTransaction(async (client) => {
        await client.query(
          prepareQuery(
            'accrue',
            'update textbook.investment set credited = credited + $2, units_done = units_done + 1 where id = $1',
            [investment, leg.amount],
          ),
        )
        await moveAmount(client, leg)
      }),
    close,
  }
}

async function insertRequest(
  client: pg.Pool | pg.PoolClient,
  kind: string,
  account: number,
  amount: number,
): Promise<number> {
  const { rows } = await client.query(
    prepareQuery(
      'request',
      'insert into textbook.request (kind, account_id, amount) values ($1, $2, $3) returning id',
      [kind, account, amount],
    ),
  )
  return Number(rows[0].id)
}

async function moveAmount(
  client: pg.PoolClient,
  { debit, credit, amount }: Leg,
  key: string | null = null,
): Promise<void> {
  const ids = debit < credit ? [debit, credit] : [credit, debit]
  await client.query(
    prepareQuery(
      'lock',
      'select id, balance from textbook.account where id = any($1) order by id for no key update',
      [ids],
    ),
  )
  const { rows } = await client.query(
    prepareQuery(
      'transfer',
      'insert into textbook.transfer (debit, credit, amount, idempotency_key) values ($1, $2, $3, $4) returning id',
      [debit, credit, amount, key],
    ),
  )
  const transfer = rows[0].id
  for (const [account, change] of [
    [debit, -amount],
    [credit, amount],
  ]) {
    const updated = await client.query(
      prepareQuery(
        'balance',
        'update textbook.account set balance = balance + $2 where id = $1 returning balance',
        [account, change],
      ),
    )
    await client.query(
      prepareQuery(
        'entry',
        'insert into textbook.entry (transfer_id, account_id, amount, balance_after) values ($1, $2, $3, $4)',
        [transfer, account, change, updated.rows[0].balance],
      ),
    )
  }
}

function prepareQuery(name: string, text: string, values: unknown[]) {
  return { name, text, values }
}
