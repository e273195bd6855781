import { type Minor, toMinor } from '../../shared/money/money.ts'
import { sumWallets } from '../../shared/money/sum-wallets.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import type { ListedUser } from './queries.ts'

type Props = { user: Pick<ListedUser, 'wallet'> }

/** Returns what is available; null for an administrator, who has no wallet. */
function getAvailable({ wallet: [amounts] }: Props['user']): Minor | null {
  return amounts === undefined ? null : sumWallets(amounts)
}

/** Shows the available amount, by which the list can be sorted. */
export function Available({ user }: Props) {
  const minor = getAvailable(user)
  if (minor === null) return <span className="text-muted">–</span>
  return <MoneyText minor={minor} className="font-medium" />
}

/** Shows the available amount with its name, where the list has no header. */
export function AvailableNote({ user }: Props) {
  const minor = getAvailable(user)
  if (minor === null) return null
  return (
    <span className="text-12 text-muted">
      Available <MoneyText minor={minor} />
    </span>
  )
}

/** Shows the net worth of an investor. An administrator has no wallet. */
export function NetWorth({ user: { netWorth } }: { user: Pick<ListedUser, 'netWorth'> }) {
  if (netWorth === null) return <span className="text-muted">–</span>
  return <MoneyText minor={toMinor(netWorth)} />
}

/** Shows the net worth below its name, where the list has no header. */
export function NetWorthNote({ user: { netWorth } }: { user: Pick<ListedUser, 'netWorth'> }) {
  if (netWorth === null) return null
  return (
    <span className="grid justify-items-end">
      <span className="whitespace-nowrap text-12 text-muted">Net worth </span>
      <MoneyText minor={toMinor(netWorth)} />
    </span>
  )
}
