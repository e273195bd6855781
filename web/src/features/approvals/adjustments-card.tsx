import { exportAdjustments } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'

import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { ADJUSTMENT_COLUMNS, adjustmentQueries, NarrowAdjustment } from '../adjustments/index.ts'

/** Lists the corrections of wallets, newest first. */
export function AdjustmentsCard() {
  const adjustments = useQuery(adjustmentQueries.listAdjustments())
  return (
    <Card>
      <CardHeader
        title="Adjustments"
        action={<CsvLink endpoint={exportAdjustments} what="adjustments" />}
      />
      <DataTable
        caption="Adjustments"
        columns={ADJUSTMENT_COLUMNS}
        query={adjustments}
        keyOf={(row) => row.id}
        narrow={(row) => <NarrowAdjustment adjustment={row} />}
        failed="The adjustments could not be loaded."
        skeletonRows={1}
        empty={
          <EmptyLine
            title="No adjustments yet"
            text="To adjust a wallet, open the page of its user."
          />
        }
      />
    </Card>
  )
}
