import { openBaseline } from './baseline.ts'

/**
 * A baseline for events with many postings: one call of a PL/pgSQL function posts all of them with
 * one statement. The function is idempotent. It locks the accounts in the descending order of their
 * ids. The hot account has the lowest id, so it is locked last and for the shortest time.
 */
const DEFINITIONS = `
  create table postings.event (
    id bigint generated always as identity primary key,
    idempotency_key text not null unique,
    created_at timestamptz not null default now()
  );
  create table postings.entry (
    event_id bigint not null,
    leg int not null,
    account_id bigint not null,
    amount bigint not null,
    balance_after bigint not null,
    primary key (account_id, event_id, leg)
  );
  create function postings.post(p_accounts bigint[], p_amounts bigint[], p_key text)
  returns bigint language plpgsql as $$
  declare
    v_id bigint;
  begin
    if (select sum(amount) from unnest(p_amounts) as amount) <> 0 then
      raise exception 'the postings do not add up to zero';
    end if;
    insert into postings.event (idempotency_key) values (p_key)
      on conflict (idempotency_key) do nothing returning id into v_id;
    if v_id is null then
      return (select id from postings.event where idempotency_key = p_key);
    end if;
    perform 1 from postings.account where id = any(p_accounts) order by id desc for update;
    with posting as (
      select * from unnest(p_accounts, p_amounts) with ordinality as given(account_id, amount, leg)
    ), moved as (
      update postings.account set balance = balance + change.amount
      from (
        select account_id, sum(amount)::bigint as amount from posting group by account_id
      ) as change
      where id = change.account_id
      returning id, balance - change.amount as balance_before
    )
    insert into postings.entry (event_id, leg, account_id, amount, balance_after)
    select v_id, leg, account_id, amount,
      balance_before + sum(amount) over (partition by account_id order by leg)
    from posting join moved on moved.id = account_id;
    return v_id;
  end $$;`

interface Posting {
  account: number
  amount: number
}

interface PostingFunction {
  /** Records one event with these postings. */
  post(postings: readonly Posting[], key: string): Promise<void>
  /** Checks the balances, then disconnects. */
  close(): Promise<void>
}

export async function openPostingFunction(
  url: string,
  { accounts, clients }: { accounts: number; clients: number },
): Promise<PostingFunction> {
  const baseline = { schema: 'postings', definitions: DEFINITIONS, accounts, clients }
  const { pool, close } = await openBaseline(url, baseline)
  return {
    post: async (postings, key) => {
      const values = [
        postings.map(({ account }) => account),
        postings.map(({ amount }) => amount),
        key,
      ]
      await pool.query({ name: 'post', text: 'select postings.post($1, $2, $3)', values })
    },
    close,
  }
}
