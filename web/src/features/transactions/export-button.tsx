import { listTransactions } from '@cairn/gateway-contracts'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { toast } from 'sonner'

import { call } from '../../api/client.ts'
import { messageOf } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { toCsv } from './csv.ts'
import type { TransactionQuery } from './queries.ts'

const ROWS_MAX = 5_000

/** Exactly what the filter leaves, all pages of it. */
export function ExportButton({ query }: { query: TransactionQuery }) {
  const download = useMutation({
    mutationFn: () => call(listTransactions, { query: { ...query, page: 1, limit: ROWS_MAX } }),
    onSuccess: ({ transactions, meta }) => {
      save(toCsv(transactions))
      if (meta.total > transactions.length) {
        toast.info(
          `The first ${transactions.length} of ${meta.total} are in the file. Narrow the filter for the others.`,
        )
      }
    },
    onError: (error) => toast.error(messageOf(error, 'The export failed. Please try again.')),
  })
  return (
    <Button pending={download.isPending} onClick={() => download.mutate()}>
      <Download aria-hidden="true" className="size-4" />
      Export
    </Button>
  )
}

function save(csv: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'transactions.csv'
  link.click()
  URL.revokeObjectURL(url)
}
