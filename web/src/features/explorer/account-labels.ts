import { useQuery } from '@tanstack/react-query'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { type PaymentOption, paymentOptionQueries } from '../payment-options/index.ts'
import { describeAccount } from './describe-event.ts'

type Option = Pick<PaymentOption, 'id' | 'bank' | 'accountNumber'>

/** The cash account that belongs to no payment option. */
const TREASURY = 'treasury'

/**
 * Labels an account code. The label of a cash account names its payment option: the bank, the mobile
 * wallet or the network, with the account number or address.
 */
export function labelAccount(code: string, options: readonly Option[]): string {
  const label = describeAccount(code)
  const optionId = findOptionId(code)
  if (optionId === TREASURY) return `${label}: Treasury`
  const option = options.find(({ id }) => id === optionId)
  return option === undefined ? label : `${label}: ${option.bank}, ${option.accountNumber}`
}

function findOptionId(code: string): string | undefined {
  const [kind, optionId] = (code.split('@')[0] ?? '').split(':')
  return kind === 'cash' ? optionId : undefined
}

/**
 * Returns a function that labels account codes; null while the payment options are loading. Without
 * the payment options, or without the permission to read them, cash accounts have a general label.
 */
export function useAccountLabels({ hasCash }: { hasCash: boolean }) {
  const canRead = useHasPermission()('paymentOptions.read')
  const options = useQuery({ ...paymentOptionQueries.listOptions(), enabled: hasCash && canRead })
  if (options.isLoading) return null
  return (code: string) => labelAccount(code, options.data ?? [])
}
