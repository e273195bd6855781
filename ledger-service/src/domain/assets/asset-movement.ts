import { addAsset } from '@cairn/ledger-contracts'
import { refuse } from '../../log/model.ts'
import { createMovePostings, getBalance, listBalanceNeeds } from '../accounts/account.ts'
import { type Decider, record } from '../decider.ts'
import { findCurrency } from './currency.ts'

/** Moves money of the operator in an asset other than the currency of the ledger. */
export const moveAsset: Decider<'MoveAsset'> = {
  needs: ({ asset, from, to }) => listBalanceNeeds(addAsset(from, asset), addAsset(to, asset)),
  decide: (data, view, context) => {
    const { asset, amountMinor } = data
    if (asset === findCurrency(view)) return refuse('assetIsCurrency', { asset })
    if (data.from === data.to) return refuse('assetNotMoved')
    const [from, to] = [addAsset(data.from, asset), addAsset(data.to, asset)]
    const availableMinor = getBalance(view, from)
    if (!data.from.startsWith('cash:') && availableMinor < amountMinor) {
      return refuse('aboveOperatorAccount', {
        account: from,
        availableMinor: String(availableMinor),
      })
    }
    const postings = createMovePostings(from, to, amountMinor)
    return record({ type: 'AssetMoved', data }, context, postings)
  },
}

/** Only the balances contain the movement; no other projection changes. */
export function applyAssetMoved(): void {}
