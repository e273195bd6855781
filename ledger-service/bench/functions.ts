import { openBaseline } from './baseline.ts'

/**
 * A second baseline: a ledger in PL/pgSQL, as a careful PostgreSQL user would write it. Each
 * transfer is one call of a function. The function updates the accounts in the order of their ids
 * and is idempotent. `transfer_many` runs many transfers in one transaction.
 */
const DEFINITIONS = `
  create table functions.transfer (
    id bigint generated always as identity primary key,
    debit bigint not null,
    credit bigint not null,
    amount bigint not null check (amount > 0),
    idempotency_key text not null unique,
    created_at timestamptz not null default now()
  );
  create table functions.entry (
    transfer_id bigint not null,
    account_id bigint not null,
    amount bigint not null,
    balance_after bigint not null,
    primary key (account_id, transfer_id)
  );
  create function functions.transfer(p_debit bigint, p_credit bigint, p_amount bigint, p_key text)
  returns bigint language plpgsql as $$
  declare
    v_id bigint;
    v_debit_after bigint;
    v_credit_after bigint;
  begin
    insert into functions.transfer (debit, credit, amount, idempotency_key)
      values (p_debit, p_credit, p_amount, p_key)
      on conflict (idempotency_key) do nothing returning id into v_id;
    if v_id is null then
      return (select id from functions.transfer where idempotency_key = p_key);
    end if;
    if p_debit < p_credit then
      update functions.account set balance = balance - p_amount
        where id = p_debit returning balance into v_debit_after;
      update functions.account set balance = balance + p_amount
        where id = p_credit returning balance into v_credit_after;
    else
      update functions.account set balance = balance + p_amount
        where id = p_credit returning balance into v_credit_after;
      update functions.account set balance = balance - p_amount
        where id = p_debit returning balance into v_debit_after;
    end if;
    insert into functions.entry (transfer_id, account_id, amount, balance_after)
      values (v_id, p_debit, -p_amount, v_debit_after), (v_id, p_credit, p_amount, v_credit_after);
    return v_id;
  end $$;
  create function functions.transfer_many(
    p_debits bigint[], p_credits bigint[], p_amount bigint, p_keys text[]
  ) returns bigint[] language plpgsql as $$
  declare
    v_ids bigint[] := '{}';
  begin
    perform 1 from functions.account
      where id = any(p_debits || p_credits) order by id for update;
    for place in 1 .. cardinality(p_debits) loop
      v_ids := v_ids
        || functions.transfer(p_debits[place], p_credits[place], p_amount, p_keys[place]);
    end loop;
    return v_ids;
  end $$;`

export interface Transfer {
  debit: number
  credit: number
  key: string
}

interface FunctionLedger {
  transfer(transfer: Transfer): Promise<void>
  /** Runs all transfers in one transaction. */
  transferMany(transfers: readonly Transfer[]): Promise<void>
  /** Checks the balances, then disconnects. */
  close(): Promise<void>
}

const AMOUNT = 100

export async function openFunctionLedger(
  url: string,
  { accounts, clients }: { accounts: number; clients: number },
): Promise<FunctionLedger> {
  const baseline = { schema: 'functions', definitions: DEFINITIONS, accounts, clients }
  const { pool, close } = await openBaseline(url, baseline)
  return {
    transfer: async ({ debit, credit, key }) => {
      const text = 'select functions.transfer($1, $2, $3, $4)'
      await pool.query({ name: 'transfer', text, values: [debit, credit, AMOUNT, key] })
    },
    transferMany: async (transfers) => {
      const values = [
        transfers.map(({ debit }) => debit),
        transfers.map(({ credit }) => credit),
        AMOUNT,
        transfers.map(({ key }) => key),
      ]
      const text = 'select functions.transfer_many($1, $2, $3, $4)'
      await pool.query({ name: 'transfer-many', text, values })
    },
    close,
  }
}
