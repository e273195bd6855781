import { exportAdjustments } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'

import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { ADJUSTMENT_COLUMNS, adjustmentQueries, NarrowAdjustment } from '../adjustments/index.ts'
import { useTable } from '../preferences/index.ts'

/** Lists the corrections of wallets, newest first. */
export function AdjustmentsCard() {
  const adjustments = useQuery(adjustmentQueries.listAdjustments())
  const options = { what: 'adjustments', hasViews: false }
  const table = useTable('adjustments', ADJUSTMENT_COLUMNS, options)
  return (
    <Card>
      <CardHeader
        title="Adjustments"
        action={
          <HeaderActions>
            {table.menu}
            <CsvLink endpoint={exportAdjustments} what="adjustments" />
          </HeaderActions>
        }
      />
      <DataTable
        caption="Adjustments"
        columns={table.columns}
        isCompact={table.isCompact}
        query={adjustments}
        keyOf={(row) => row.id}
        narrow={(row) => <NarrowAdjustment adjustment={row} />}
        failed="The adjustments could not be loaded."
        skeletonRows={1}
        empty={
          <EmptyLine
            title="No adjustments by request yet"
            text="To adjust a wallet, open the page of its user."
          />
        }
      />
    </Card>
  )
}
