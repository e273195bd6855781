import {
  exportLogAccount,
  exportLogAccounts,
  getLogAccount,
  ID_PATTERN,
  type LogAccount,
  listLogAccounts,
  type ResponseOf,
} from '@cairn/gateway-contracts'
import { getAccountKind, getInvestorId } from '@cairn/ledger-contracts'
import type { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes } from '../../platform/http/list-export.ts'
import type { Route } from '../../platform/http/registry.ts'
import { getRequestedLedger } from '../../platform/ledger-client/requested-ledger.ts'
import { findPersons } from '../users/index.ts'
import { formatAmountOf, toAmountOf } from './asset-amount.ts'

/** The largest page that the ledger query returns. */
const ACCOUNTS_PER_READ = 500

export function createAccountRoutes(deps: Dependencies): readonly Route[] {
  return [...createAllAccountsRoutes(deps), ...createOneAccountRoutes(deps)]
}

const ACCOUNTS: Columns<z.infer<typeof LogAccount>> = {
  Account: ({ account }) => account,
  Kind: ({ kind }) => kind,
  Owner: ({ person }) => person?.name ?? 'The operator',
  Email: ({ person }) => person?.email ?? null,
  Balance: ({ account, balance }) => formatAmountOf(account, balance),
  'Last event': ({ lastSeq }) => lastSeq,
}

function createAllAccountsRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'ledgers'>,
): readonly Route[] {
  return createListRoutes({
    list: listLogAccounts,
    read: async ({ query }) => {
      const prefix = toAccountPrefix(query.prefix)
      const ledger = await getRequestedLedger(deps, query.ledger ?? (await findHome(deps, prefix)))
      const { accounts, next } = await ledger.ask('accounts', {
        prefix,
        after: query.after ?? null,
        limit: query.limit,
      })
      const persons = await findPersons(
        deps.db,
        accounts.flatMap(({ account }) => getInvestorId(account) ?? []),
      )
      return {
        accounts: accounts.map(({ account, balanceMinor, lastSeq }) => {
          const person = persons.get(getInvestorId(account) ?? '')
          const kind = getAccountKind(account)
          const row = {
            account,
            kind,
            balance: toAmountOf(account, balanceMinor),
            lastSeq: String(lastSeq),
          }
          return person === undefined ? row : { ...row, person }
        }),
        meta: { next },
      }
    },
    csv: {
      endpoint: exportLogAccounts,
      fileName: 'accounts.csv',
      audit: 'ledger.export-accounts',
      columns: ACCOUNTS,
      toRequest: ({ query }, { after }) => ({
        query: { ...query, limit: ACCOUNTS_PER_READ, after },
      }),
      toPage: ({ accounts, meta }) => ({ rows: accounts, next: meta.next }),
    },
  })
}

/** Returns the prefix of all accounts of a person if the text is an id, and otherwise the text. */
function toAccountPrefix(text: string): string {
  return ID_PATTERN.test(text) ? `investor:${text}:` : text
}

/** Returns the ledger of the person whose accounts have the prefix; undefined if it names none. */
async function findHome(
  { ledgers }: Pick<Dependencies, 'ledgers'>,
  prefix: string,
): Promise<number | undefined> {
  const owner = getInvestorId(prefix)
  return owner !== null && ID_PATTERN.test(owner) ? ledgers.findHome(owner) : undefined
}

type Movement = ResponseOf<typeof getLogAccount>['lines'][number] & { account: string }

const MOVEMENTS: Columns<Movement> = {
  Account: ({ account }) => account,
  Event: ({ seq }) => seq,
  Type: ({ type }) => type,
  Recorded: ({ recordedAt }) => recordedAt,
  Effective: ({ effectiveAt }) => effectiveAt,
  Amount: ({ account, amount }) => formatAmountOf(account, amount),
  'Balance after the event': ({ account, balance }) => formatAmountOf(account, balance),
}

function createOneAccountRoutes(deps: Dependencies): readonly Route[] {
  return createListRoutes({
    list: getLogAccount,
    read: async ({ params, query }) => {
      const { account } = params
      const { effectiveAt } = query
      const ledger = await getRequestedLedger(deps, query.ledger)
      const [now, { lines }, past, effective] = await Promise.all([
        ledger.ask('balance', { account, at: null }),
        ledger.ask('statement', {
          account,
          before: query.before === undefined ? null : BigInt(query.before),
          limit: query.limit,
          wholeEvents: true,
        }),
        query.at === undefined ? null : ledger.ask('balance', { account, at: query.at }),
        effectiveAt === undefined
          ? null
          : ledger.ask('effectiveBalance', { account, effectiveAt, at: null }),
      ])
      if (lines.length === 0 && query.before === undefined) {
        throw createNotFoundFailure('Nothing was ever posted to this account')
      }
      const last = lines.length >= query.limit ? lines.at(-1) : undefined
      return {
        account,
        balance: toAmountOf(account, now.balanceMinor),
        past:
          past === null || query.at === undefined
            ? null
            : {
                at: query.at,
                seq: String(past.seq),
                balance: toAmountOf(account, past.balanceMinor),
              },
        effective:
          effective === null || effectiveAt === undefined
            ? null
            : {
                at: effectiveAt,
                seq: String(effective.seq),
                balance: toAmountOf(account, effective.balanceMinor),
              },
        lines: lines.map((line) => ({
          seq: String(line.seq),
          type: line.type,
          amount: toAmountOf(account, line.amountMinor),
          balance: toAmountOf(account, line.balanceAfterMinor),
          recordedAt: line.recordedAt,
          effectiveAt: line.effectiveAt,
        })),
        meta: { next: last === undefined ? null : String(last.seq) },
      }
    },
    csv: {
      endpoint: exportLogAccount,
      fileName: 'account.csv',
      audit: 'ledger.export-account',
      columns: MOVEMENTS,
      toRequest: ({ params, query }, { limit, after }) => ({
        params,
        query: { ...query, limit, before: after },
      }),
      toPage: ({ account, lines, meta }) => ({
        rows: lines.map((line) => ({ ...line, account })),
        next: meta.next,
      }),
    },
  })
}
