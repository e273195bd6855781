import { openBaseline } from './baseline.ts'

/**
 * The product's mix as PL/pgSQL functions, one for each step, as a careful PostgreSQL user would
 * write them. Each function is idempotent: by its key, by the status of the request or by the
 * number of accrued units. All functions lock accounts in the descending order of their ids. The
 * accounts of the operator have the lowest ids, so they are locked last and for the shortest time.
 */
const TABLES = `
  create table steps.transfer (
    id bigint generated always as identity primary key,
    debit bigint not null,
    credit bigint not null,
    amount bigint not null check (amount > 0),
    created_at timestamptz not null default now()
  );
  create table steps.entry (
    transfer_id bigint not null,
    account_id bigint not null,
    amount bigint not null,
    balance_after bigint not null,
    primary key (account_id, transfer_id)
  );
  create table steps.request (
    id bigint generated always as identity primary key,
    kind text not null,
    account_id bigint not null,
    amount bigint not null,
    status text not null default 'pending',
    idempotency_key text not null unique,
    created_at timestamptz not null default now()
  ) with (fillfactor = 80);
  create table steps.investment (
    id bigint generated always as identity primary key,
    account_id bigint not null,
    principal bigint not null,
    promised bigint not null,
    credited bigint not null default 0,
    units_done int not null default 0,
    idempotency_key text not null unique
  ) with (fillfactor = 50);`

const FUNCTIONS = `
  create function steps.move(p_debit bigint, p_credit bigint, p_amount bigint)
  returns void language plpgsql as $$
  declare
    v_id bigint;
    v_debit_after bigint;
    v_credit_after bigint;
  begin
    insert into steps.transfer (debit, credit, amount) values (p_debit, p_credit, p_amount)
      returning id into v_id;
    if p_debit > p_credit then
      update steps.account set balance = balance - p_amount
        where id = p_debit returning balance into v_debit_after;
      update steps.account set balance = balance + p_amount
        where id = p_credit returning balance into v_credit_after;
    else
      update steps.account set balance = balance + p_amount
        where id = p_credit returning balance into v_credit_after;
      update steps.account set balance = balance - p_amount
        where id = p_debit returning balance into v_debit_after;
    end if;
    insert into steps.entry (transfer_id, account_id, amount, balance_after)
      values (v_id, p_debit, -p_amount, v_debit_after), (v_id, p_credit, p_amount, v_credit_after);
  end $$;

  -- With p_held, the amount moves to that account until the request is settled.
  create function steps.request(
    p_kind text, p_account bigint, p_amount bigint, p_key text, p_held bigint
  ) returns bigint language plpgsql as $$
  declare
    v_id bigint;
  begin
    insert into steps.request (kind, account_id, amount, idempotency_key)
      values (p_kind, p_account, p_amount, p_key)
      on conflict (idempotency_key) do nothing returning id into v_id;
    if v_id is null then
      return (select id from steps.request where idempotency_key = p_key);
    end if;
    if p_held is not null then
      perform steps.move(p_account, p_held, p_amount);
    end if;
    return v_id;
  end $$;

  create function steps.settle(p_request bigint, p_debit bigint, p_credit bigint)
  returns void language plpgsql as $$
  declare
    v_amount bigint;
  begin
    update steps.request set status = 'success' where id = p_request and status = 'pending'
      returning amount into v_amount;
    if v_amount is not null then
      perform steps.move(p_debit, p_credit, v_amount);
    end if;
  end $$;

  create function steps.invest(
    p_account bigint, p_invested bigint, p_principal bigint,
    p_reserve bigint, p_committed bigint, p_promised bigint, p_key text
  ) returns bigint language plpgsql as $$
  declare
    v_id bigint;
  begin
    insert into steps.investment (account_id, principal, promised, idempotency_key)
      values (p_account, p_principal, p_promised, p_key)
      on conflict (idempotency_key) do nothing returning id into v_id;
    if v_id is null then
      return (select id from steps.investment where idempotency_key = p_key);
    end if;
    perform steps.move(p_account, p_invested, p_principal);
    perform steps.move(p_reserve, p_committed, p_promised);
    return v_id;
  end $$;

  create function steps.accrue(
    p_investment bigint, p_units int, p_debit bigint, p_credit bigint, p_amount bigint
  ) returns void language plpgsql as $$
  begin
    update steps.investment set credited = credited + p_amount, units_done = p_units
      where id = p_investment and units_done = p_units - 1;
    if found then
      perform steps.move(p_debit, p_credit, p_amount);
    end if;
  end $$;`

export interface StepFunctions {
  request(of: {
    kind: string
    account: number
    amount: number
    key: string
    /** The account that holds the amount until the request is settled; null to hold nothing. */
    held: number | null
  }): Promise<number>
  settle(request: number, move: { debit: number; credit: number }): Promise<void>
  invest(of: {
    account: number
    invested: number
    principal: number
    reserve: number
    committed: number
    promised: number
    key: string
  }): Promise<number>
  accrue(of: {
    investment: number
    units: number
    debit: number
    credit: number
    amount: number
  }): Promise<void>
  /** Checks the balances, then disconnects. */
  close(): Promise<void>
}

export async function openStepFunctions(
  url: string,
  { accounts, clients }: { accounts: number; clients: number },
): Promise<StepFunctions> {
  const definitions = TABLES + FUNCTIONS
  const { pool, close } = await openBaseline(url, {
    schema: 'steps',
    definitions,
    accounts,
    clients,
  })
  /** Calls the function and returns its result, an id or nothing. */
  async function call(name: string, values: readonly (string | number | null)[]): Promise<number> {
    const places = values.map((_, index) => `$${index + 1}`).join()
    const text = `select steps.${name}(${places}) as id`
    const { rows } = await pool.query({ name, text, values: [...values] })
    return Number(rows[0].id)
  }
  return {
    request: ({ kind, account, amount, key, held }) =>
      call('request', [kind, account, amount, key, held]),
    settle: async (request, { debit, credit }) =>
      void (await call('settle', [request, debit, credit])),
    invest: ({ account, invested, principal, reserve, committed, promised, key }) =>
      call('invest', [account, invested, principal, reserve, committed, promised, key]),
    accrue: async ({ investment, units, debit, credit, amount }) =>
      void (await call('accrue', [investment, units, debit, credit, amount])),
    close,
  }
}
