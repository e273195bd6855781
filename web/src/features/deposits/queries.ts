import { createMyTransaction, type PaymentOption } from '@cairn/gateway-contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '../../api/client.ts'
import { invalidateMoney } from '../../api/invalidate-money.ts'
import { useSubmission } from '../../api/submission-key.ts'

type Deposit = { amount: string; option: PaymentOption; receipt: File }

export function useDeposit() {
  const queryClient = useQueryClient()
  const submission = useSubmission()
  return useMutation({
    mutationFn: ({ amount, option, receipt }: Deposit) => {
      const content = [amount, option.id, receipt.name, receipt.size, receipt.lastModified]
      return call(createMyTransaction, {
        body: {
          type: 'deposit',
          amount,
          pay_option: option.payOption,
          payment_option_id: option.id,
        },
        file: receipt,
        idempotencyKey: submission.keyFor(JSON.stringify(content)),
      })
    },
    onSuccess: () => submission.settle(),
    onError: (error) => submission.settle(error),
    onSettled: () => invalidateMoney(queryClient),
  })
}
