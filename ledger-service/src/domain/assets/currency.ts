import { ACCOUNT_KINDS, type Asset, addAsset, DEFAULT_CURRENCY } from '@cairn/ledger-contracts'
import { refuse } from '../../log/model.ts'
import { createStateTable } from '../../log/table.ts'
import type { View } from '../../log/view.ts'
import { controlTotalTable } from '../accounts/control-total.ts'
import { type Decider, type Evolve, record } from '../decider.ts'

/** The chosen currency of the ledger. */
export const currencyTable = createStateTable('currency', '', { asset: 'text', lastSeq: 'int8' })

/**
 * Returns the asset of accounts whose code contains no asset. All rows of the table are in memory.
 */
export function findCurrency(view: View): Asset {
  return view.peek(currencyTable, '')?.asset ?? DEFAULT_CURRENCY
}

/**
 * The first choice may name the default currency, so that the log names the currency. A choice of
 * the currency that is already chosen is refused. A choice is also refused if money has moved in
 * the present currency or in the named currency. Otherwise an amount would get a wrong asset, or
 * two accounts would get the same code.
 */
export const chooseCurrency: Decider<'ChooseCurrency'> = {
  needs: () => [],
  decide: ({ asset }, view, context) => {
    const chosen = view.peek(currencyTable, '') ?? null
    if (chosen?.asset === asset) return refuse('currencyUnchanged', { asset })
    const names = ACCOUNT_KINDS.flatMap((kind) => [kind, addAsset(kind, asset)])
    if (names.some((name) => hasTotal(view, name))) return refuse('currencyFixed')
    return record({ type: 'CurrencyChosen', data: { asset } }, context)
  },
}

export const applyCurrencyChosen: Evolve<'CurrencyChosen'> = ({ asset }, view, { seq }) => {
  view.put(currencyTable, { asset, lastSeq: seq })
}

/** True if an account of this kind and asset was ever posted to. */
function hasTotal(view: View, name: string): boolean {
  return (view.peek(controlTotalTable, `account:${name}`) ?? null) !== null
}
