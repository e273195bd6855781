export { ADJUSTMENT_COLUMNS, NarrowAdjustment } from './adjustment-columns.tsx'
export { AdjustmentForm } from './adjustment-form.tsx'
export { type Adjustment, adjustmentQueries } from './queries.ts'
