import { useQuery } from '@tanstack/react-query'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { toMinor } from '../../shared/money/money.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { reserveQueries } from './queries.ts'

/** The accounts of the operator from which money can be moved. */
export type OwnAccount = 'reserve' | 'fees' | 'income'

const BALANCES = {
  reserve: 'Free reserve',
  fees: 'Fees earned',
  income: 'Plan income',
} as const satisfies Record<OwnAccount, string>

type LedgerFieldProps = {
  ledgers: readonly number[]
  value: number | null
  onChange: (ledger: number | null) => void
  /** The account whose balance in the chosen ledger is shown. */
  account: OwnAccount
  error: string | null | undefined
}

/** Chooses the ledger that records a movement of the operator's own money. */
export function LedgerField({ ledgers, value, onChange, account, error }: LedgerFieldProps) {
  const query = useQuery({ ...reserveQueries.readReserve(value), enabled: value !== null })
  const reserve = value === null ? undefined : query.data
  const withoutBalance = query.isError
    ? getErrorMessage(query.error, 'The balance could not be loaded.')
    : 'The money of one ledger covers no promise of another'
  return (
    <>
      <Field
        label="Ledger"
        hint={
          reserve === undefined ? (
            withoutBalance
          ) : (
            <>
              {BALANCES[account]} of ledger {value}:{' '}
              <InlineMoney minor={toMinor(reserve[account])} />
            </>
          )
        }
        error={error}
      >
        {(ids) => (
          <Select
            {...ids}
            value={value ?? ''}
            onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
          >
            <option value="">Choose a ledger</option>
            {ledgers.map((ledger) => (
              <option key={ledger} value={ledger}>
                Ledger {ledger}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {reserve?.secondApprovalFrom !== undefined && (
        <Notice tone="info">
          Until <DateText at={reserve.secondApprovalFrom} format="moment" />, ledger {value} refuses
          amounts that two administrators must approve, because it has known its approvers for less
          than 24 hours. You can make the request now; it can be approved then.
        </Notice>
      )}
    </>
  )
}
