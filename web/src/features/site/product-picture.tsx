import { formatMoney } from '../../shared/money/money.ts'
import { ContentMark } from './content-mark.tsx'

const PARTS = [
  { name: 'Invested', amount: 950_000n },
  { name: 'Available', amount: 273_050n },
  { name: 'Held', amount: 25_000n },
] as const

const HOLDINGS = [
  { plan: 'Growth', amount: 500_000n, progress: '21 of 60 days', width: 'w-[35%]' },
  { plan: 'Starter', amount: 250_000n, progress: '18 of 30 days', width: 'w-[60%]' },
  { plan: 'Pro', amount: 200_000n, progress: '72 of 90 days', width: 'w-[80%]' },
] as const

const RECEIPT = [
  { name: 'Type', value: 'Deposit approved' },
  { name: 'Amount', value: 250_000n },
  { name: 'Event', value: '1,398 of 1,402' },
] as const

const CURVE = 'M0 43H60V42H120V40H170V38H240V19H300V17H360V15H420V11H480'

/** Shows a fictional dashboard, with the receipt of one of its events in front. */
export function ProductPicture() {
  return (
    <figure className="relative grid pb-16 sm:pb-10">
      <div className="grid gap-5 rounded-card border border-line bg-surface p-5 shadow-raised sm:p-6">
        <div className="flex items-start justify-between gap-2">
          <div>
            <p className="text-14 text-muted">Net worth</p>
            <p className="tabular font-semibold text-28 tracking-tight sm:text-40">
              {formatMoney(1_248_000n).slice(0, -3)}
              <span className="text-muted">.50</span>
            </p>
          </div>
          <ContentMark text="Sample account" />
        </div>
        <dl className="grid grid-cols-3 gap-3 text-12 sm:text-14">
          {PARTS.map(({ name, amount }) => (
            <div key={name} className="border-line border-t pt-2">
              <dt className="text-muted">{name}</dt>
              <dd className="tabular font-medium">{formatMoney(amount)}</dd>
            </div>
          ))}
        </dl>
        <svg
          viewBox="0 0 480 128"
          preserveAspectRatio="none"
          aria-hidden="true"
          className="h-28 w-full"
        >
          <path d={`${CURVE}V128H0Z`} className="fill-accent-soft" />
          <path
            d={CURVE}
            className="fill-none stroke-accent"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
          />
          <path
            d="M0 43H240V24H480"
            className="fill-none stroke-muted"
            strokeDasharray="4"
            vectorEffect="non-scaling-stroke"
          />
          <path d="M0 127.5H480" className="stroke-line" vectorEffect="non-scaling-stroke" />
        </svg>
        <p className="-mt-3 text-12 text-muted">Line: net worth. Dashed: paid in.</p>
        <ul className="grid gap-3 pb-32 text-12 sm:pb-2 sm:text-14">
          {HOLDINGS.map(({ plan, amount, progress, width }) => (
            <li key={plan} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 sm:max-w-[54%]">
              <span className="font-medium">
                {plan} <span className="font-normal text-muted">{progress}</span>
              </span>
              <span className="tabular">{formatMoney(amount)}</span>
              <span className="col-span-2 h-1.5 overflow-hidden rounded-full bg-line">
                <span className={`block h-full rounded-full bg-accent ${width}`} />
              </span>
            </li>
          ))}
        </ul>
      </div>
      <div className="absolute inset-x-4 bottom-4 grid gap-3 rounded-card border border-line-strong bg-surface p-4 text-12 shadow-raised sm:right-6 sm:bottom-0 sm:left-auto sm:w-64">
        <p className="font-semibold text-14">Sample receipt</p>
        <dl>
          {RECEIPT.map(({ name, value }) => (
            <div key={name} className="flex justify-between gap-3 border-line border-t py-1.5">
              <dt className="text-muted">{name}</dt>
              <dd className="tabular">{typeof value === 'string' ? value : formatMoney(value)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </figure>
  )
}
