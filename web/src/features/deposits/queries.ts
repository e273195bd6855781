import {
  createMyTransaction,
  issueDepositReference,
  type PaymentOption,
} from '@cairn/gateway-contracts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { isDefiniteAnswer } from '../../shared/api/failure.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { useKeyedMutation } from '../../shared/api/keyed-mutation.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

type Deposit = {
  amount: string
  option: PaymentOption
  receipt: File
  /**
   * The reference that the page shows. Null if no reference could be issued; the server then issues
   * a reference with the deposit.
   */
  reference: string | null
  hash: string
}

export const depositQueries = {
  readPaymentReference: (optionId: string) =>
    queryOptions({
      queryKey: [...getRootKey('depositReference'), optionId],
      queryFn: ({ signal }) =>
        call(issueDepositReference, { body: { payment_option_id: optionId } }, signal),
      select: ({ reference }) => reference,
      staleTime: 0,
    }),
}

export function useDeposit() {
  const queryClient = useQueryClient()
  return useKeyedMutation({
    describeContent: ({ amount, option, receipt, reference, hash }: Deposit) => {
      const { name, size, lastModified } = receipt
      return JSON.stringify([amount, option.id, name, size, lastModified, reference, hash])
    },
    send: ({ amount, option, receipt, reference, hash }, idempotencyKey) =>
      call(createMyTransaction, {
        body: {
          type: 'deposit',
          amount,
          pay_option: option.payOption,
          payment_option_id: option.id,
          ...(reference === null ? {} : { reference }),
          ...(hash === '' ? {} : { tx_hash: hash }),
        },
        file: receipt,
        idempotencyKey,
      }),
    reload: (error) => {
      // A deposit that the server has answered may have used the reference, so the page needs a new
      // reference for the next deposit.
      if (error === null || isDefiniteAnswer(error)) {
        void queryClient.invalidateQueries({ queryKey: getRootKey('depositReference') })
      }
      return invalidateMoney(queryClient)
    },
  })
}

/**
 * Returns the reference of the deposit whose answer is missing: null if it had none, undefined if no
 * answer is missing. The next attempt sends the same reference, so that it repeats the same deposit.
 */
export function getUnansweredReference({
  isPending,
  error,
  variables,
}: ReturnType<typeof useDeposit>): string | null | undefined {
  const isUnanswered = isPending || (error !== null && !isDefiniteAnswer(error))
  return isUnanswered ? variables?.reference : undefined
}
